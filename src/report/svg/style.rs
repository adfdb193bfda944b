//! Colours, dashes and patterns: every series differs in all three, so that it is told apart in black and white.

use std::fmt::Write as _;

use plotters::style::RGBColor;

/// Text, axes, caps.
pub(super) const INK: RGBColor = RGBColor(0x1A, 0x1A, 0x1A);
/// Lesser text.
pub(super) const MUTED: RGBColor = RGBColor(0x59, 0x59, 0x59);
/// Lines of the grid.
pub(super) const GRID: RGBColor = RGBColor(0xD9, 0xD9, 0xD9);
/// The ground.
pub(super) const PAPER: RGBColor = RGBColor(0xFF, 0xFF, 0xFF);

/// How one series looks.
struct Look {
    color: RGBColor,
    /// The same on a dark ground.
    dark: RGBColor,
    /// `stroke-dasharray`; empty for a solid line.
    dash: &'static str,
    /// Marks on the light ground of its bars, in a tile of 8 by 8.
    pattern: &'static str,
    /// The light ground of its bars.
    ground: RGBColor,
}

const LOOKS: [Look; 6] = [
    Look {
        color: RGBColor(0x0B, 0x5C, 0xAD),
        dark: RGBColor(0x74, 0xB4, 0xFF),
        dash: "",
        pattern: "M0 0h8v8h-8z",
        ground: RGBColor(0x0B, 0x5C, 0xAD),
    },
    Look {
        color: RGBColor(0xB8, 0x3A, 0x0A),
        dark: RGBColor(0xFF, 0xA0, 0x70),
        dash: "9 4",
        pattern: "M-1 9L9 -1M-1 1L1 -1M7 9L9 7",
        ground: RGBColor(0xFB, 0xE3, 0xD6),
    },
    Look {
        color: RGBColor(0x16, 0x6B, 0x3E),
        dark: RGBColor(0x6F, 0xD3, 0x9C),
        dash: "2 3",
        pattern: "M1 2h2M5 6h2",
        ground: RGBColor(0xE0, 0xF2, 0xE7),
    },
    Look {
        color: RGBColor(0x70, 0x38, 0x96),
        dark: RGBColor(0xCF, 0xA2, 0xF2),
        dash: "12 3 2 3",
        pattern: "M0 2h8M0 6h8",
        ground: RGBColor(0xF1, 0xE6, 0xF7),
    },
    Look {
        color: RGBColor(0x7A, 0x5C, 0x00),
        dark: RGBColor(0xE3, 0xC2, 0x57),
        dash: "5 2 2 2 2 2",
        pattern: "M2 0v8M6 0v8",
        ground: RGBColor(0xF7, 0xEF, 0xD2),
    },
    Look {
        color: RGBColor(0x0A, 0x66, 0x78),
        dark: RGBColor(0x6C, 0xCB, 0xDE),
        dash: "14 5",
        pattern: "M-1 9L9 -1M-1 -1L9 9",
        ground: RGBColor(0xDD, 0xF1, 0xF5),
    },
];

/// Patterns of shaded stretches, in a tile of 8 by 8.
const SHADES: [&str; 5] = [
    "",
    "M-1 9L9 -1M-1 1L1 -1M7 9L9 7",
    "M1 2h2M5 6h2",
    "M2 0v8M6 0v8",
    "M0 2h8M0 6h8",
];

/// The backend knows neither dashes nor patterns. It is given these stand-in colours, which nothing else uses,
/// and [`finish`] puts the real thing in their place.
const DASHED: u8 = 0xD1;
const PATTERNED: u8 = 0xF1;
const SHADED: u8 = 0xF2;
const CAP: RGBColor = RGBColor(0xD2, 0x00, 0x00);

const fn stand_in(kind: u8, index: usize, of: usize) -> RGBColor {
    RGBColor(kind, 0x00, (index % of) as u8)
}

/// The colour of the text and outlines of the series at `index`.
pub(super) fn series_color(index: usize) -> RGBColor {
    LOOKS[index % LOOKS.len()].color
}

/// The stroke of the line of the series at `index`.
pub(super) const fn series_stroke(index: usize) -> RGBColor {
    stand_in(DASHED, index, LOOKS.len())
}

/// The fill of the bars of the series at `index`.
pub(super) const fn series_fill(index: usize) -> RGBColor {
    stand_in(PATTERNED, index, LOOKS.len())
}

/// The fill of shaded stretches of the kind at `index`.
pub(super) const fn span_fill(index: usize) -> RGBColor {
    stand_in(SHADED, index, SHADES.len())
}

/// The stroke of caps.
pub(super) const fn cap_stroke() -> RGBColor {
    CAP
}

fn hex(color: RGBColor) -> String {
    format!("#{:02X}{:02X}{:02X}", color.0, color.1, color.2)
}

/// Gives the backend's picture its dashes and patterns, a name and a description that can be read aloud.
/// `id` must be unique in the page that will hold the picture.
pub(super) fn finish(body: &str, id: &str, title: &str, description: &str) -> String {
    let (id, title, description) = (escaped(id), escaped(title), escaped(description));
    let mut body = body.to_owned();
    for (index, look) in LOOKS.iter().enumerate() {
        let dash = match look.dash {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        let stroke = format!("stroke=\"{}\"{dash}", hex(look.color));
        body = body.replace(&attribute("stroke", series_stroke(index)), &stroke);
        let fill = format!("fill=\"url(#{id}-p{index})\"");
        body = body.replace(&attribute("fill", series_fill(index)), &fill);
    }
    for index in 0..SHADES.len() {
        let fill = format!("fill=\"url(#{id}-s{index})\"");
        body = body.replace(&attribute("fill", span_fill(index)), &fill);
    }
    let cap = format!("stroke=\"{}\" stroke-dasharray=\"4 3\"", hex(INK));
    body = body.replace(&attribute("stroke", CAP), &cap);
    let opening = format!(
        " role=\"img\" aria-labelledby=\"{id}-t {id}-d\">\n\
         <title id=\"{id}-t\">{title}</title>\n<desc id=\"{id}-d\">{description}</desc>\n{}",
        definitions(&id, &body)
    );
    body.replacen(">\n", &opening, 1)
}

fn attribute(name: &str, color: RGBColor) -> String {
    format!("{name}=\"{}\"", hex(color))
}

/// The patterns that the picture uses.
fn definitions(id: &str, body: &str) -> String {
    let mut out = String::new();
    let open = r#"width="8" height="8" patternUnits="userSpaceOnUse""#;
    for (index, look) in LOOKS.iter().enumerate() {
        let name = format!("{id}-p{index}");
        if body.contains(&format!("url(#{name})")) {
            // In small letters, for these stay as they are on a dark ground (see `dark_css`).
            let (ground, color) = (
                hex(look.ground).to_lowercase(),
                hex(look.color).to_lowercase(),
            );
            let _ = writeln!(
                out,
                r#"<pattern id="{name}" {open}><path d="M0 0h8v8h-8z" fill="{ground}"/><path d="{}" fill="none" stroke="{color}" stroke-width="1.6"/></pattern>"#,
                look.pattern
            );
        }
    }
    for (index, pattern) in SHADES.iter().enumerate() {
        let name = format!("{id}-s{index}");
        if body.contains(&format!("url(#{name})")) {
            let muted = hex(MUTED);
            let _ = writeln!(
                out,
                r#"<pattern id="{name}" {open}><path d="M0 0h8v8h-8z" fill="{muted}" fill-opacity="0.16"/><path d="{pattern}" fill="none" stroke="{muted}" stroke-opacity="0.55"/></pattern>"#
            );
        }
    }
    if out.is_empty() {
        out
    } else {
        format!("<defs>\n{out}</defs>\n")
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// CSS that repaints pictures for a dark ground, for pages that hold them.
pub fn dark_css(scope: &str) -> String {
    let neutral = [
        (INK, "#EDEDED"),
        (MUTED, "#B5B5B5"),
        (GRID, "#3A3F47"),
        (PAPER, "none"),
    ];
    let mut pairs: Vec<(String, String)> = neutral
        .iter()
        .map(|(light, dark)| (hex(*light), (*dark).to_owned()))
        .collect();
    pairs.extend(LOOKS.iter().map(|look| (hex(look.color), hex(look.dark))));
    let mut css = String::new();
    for (light, dark) in pairs {
        for property in ["fill", "stroke"] {
            let _ = writeln!(css, "{scope} [{property}=\"{light}\"]{{{property}:{dark}}}");
        }
    }
    css
}
