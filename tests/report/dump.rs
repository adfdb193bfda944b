use diskcap::report::{Format, RenderOptions, render_document};
#[test]
fn dump() {
    let dir = std::path::PathBuf::from("/tmp/out-report");
    std::fs::create_dir_all(&dir).unwrap();
    let doc = crate::sample::document();
    for f in Format::ALL {
        let bytes = render_document(&doc, f, &RenderOptions::default()).unwrap();
        std::fs::write(dir.join(format!("sample.{}", f.extensions()[0])), bytes).unwrap();
    }
    for w in [40usize, 80, 120, 200] {
        let o = RenderOptions {
            width: Some(w),
            color: w == 80,
            ascii: w == 120,
            header: true,
        };
        let bytes = render_document(&doc, Format::Table, &o).unwrap();
        std::fs::write(dir.join(format!("w{w}.txt")), bytes).unwrap();
    }
}
