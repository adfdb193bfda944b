//! Charts as pixels: the SVG, rasterised with an embedded typeface, so that it looks alike everywhere.

use super::document::Document;
use super::{Format, Render, RenderOptions, ReportError};

/// Pictures of a document's charts as one PNG.
#[derive(Debug, Clone, Copy)]
pub struct Png;

impl Render for Png {
    #[cfg(feature = "png")]
    fn draw(&self, document: &Document, _options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        let svg = super::svg::all_charts(document, Format::Png)?;
        raster::pixels(&svg)
    }

    #[cfg(not(feature = "png"))]
    fn draw(&self, _document: &Document, _options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::NotBuilt {
            format: Format::Png,
            feature: "png",
        })
    }
}

#[cfg(feature = "png")]
mod raster {
    use std::sync::Arc;

    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::{Options, Tree, fontdb};

    use super::{Format, ReportError};

    /// Pixels of the picture for each of the SVG, so that it stays sharp in print.
    const SCALE: f32 = 2.0;

    /// No side may be longer, in pixels: 64 K is more than any viewer shows.
    const LONGEST: f32 = 65_535.0;

    /// Why a picture cannot be drawn in pixels.
    #[derive(Debug, thiserror::Error)]
    enum PixelError {
        /// It would be too large.
        #[error("{width} x {height} pixels are too many: choose fewer charts or rows")]
        TooLarge { width: f32, height: f32 },
    }

    pub(super) fn pixels(svg: &str) -> Result<Vec<u8>, ReportError> {
        let tree = Tree::from_str(svg, &options()).map_err(ReportError::library(Format::Png))?;
        let (width, height) = (tree.size().width() * SCALE, tree.size().height() * SCALE);
        let too_large = PixelError::TooLarge { width, height };
        let fits = width <= LONGEST && height <= LONGEST;
        let pixmap = Pixmap::new(width as u32, height as u32).filter(|_| fits);
        let mut pixmap = pixmap
            .ok_or(too_large)
            .map_err(ReportError::library(Format::Png))?;
        resvg::render(
            &tree,
            Transform::from_scale(SCALE, SCALE),
            &mut pixmap.as_mut(),
        );
        pixmap
            .encode_png()
            .map_err(ReportError::library(Format::Png))
    }

    /// Only the embedded typeface: what the machine has installed must not change a report.
    fn options() -> Options<'static> {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(dejavu::sans::regular())));
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(dejavu::sans::bold())));
        fonts.set_sans_serif_family("DejaVu Sans");
        Options {
            font_family: "DejaVu Sans".to_owned(),
            fontdb: Arc::new(fonts),
            ..Options::default()
        }
    }
}
