//! Where a report goes: standard output, or a file that is replaced whole or not at all. The one place here that
//! does I/O.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::format::{Format, FormatError};

/// Where a report goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Destination {
    /// Standard output.
    #[default]
    Stdout,
    /// A file.
    File(PathBuf),
}

/// Why a report could not be put where it belongs.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The folder that is to hold the file does not exist.
    #[error("cannot write '{}': there is no folder '{}'", .file.display(), .folder.display())]
    NoFolder {
        /// The file as given.
        file: PathBuf,
        /// The folder that is missing.
        folder: PathBuf,
    },
    /// There is a folder of that name.
    #[error("cannot write '{}': it is a folder; name a file in it", .file.display())]
    IsFolder {
        /// The path as given.
        file: PathBuf,
    },
    /// The file is protected.
    #[error("cannot replace '{}': it is read-only", .file.display())]
    ReadOnly {
        /// The file as given.
        file: PathBuf,
    },
    /// The system refused.
    #[error("cannot write '{}': {source}", .file.display())]
    File {
        /// The file as given.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Standard output failed, other than by its reader having gone.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// A binary format would fill a terminal with signs nobody can read.
    #[error("{format} is not for reading on a terminal: name a file or redirect the output")]
    Terminal {
        /// The format asked for.
        format: Format,
    },
}

impl Destination {
    /// From an `--output` argument: `-` or none means standard output.
    #[must_use]
    pub fn from_argument(path: Option<&Path>) -> Self {
        match path {
            Some(path) if path.as_os_str() != "-" => Self::File(path.to_owned()),
            _ => Self::Stdout,
        }
    }

    /// The format to write: the one asked for; else the one of the file's ending; else a table.
    ///
    /// # Errors
    /// [`FormatError`] when no format was asked for and the ending belongs to none, or it is a folder.
    pub fn format(&self, asked: Option<Format>) -> Result<Format, FormatError> {
        match (asked, self) {
            (Some(format), _) => Ok(format),
            (None, Self::File(path)) if path.is_dir() => Err(FormatError::Folder {
                path: path.display().to_string(),
            }),
            (None, Self::File(path)) => Format::from_path(path),
            (None, Self::Stdout) => Ok(Format::Table),
        }
    }

    /// Checks that a report of this format can be written here, so that long work is not done in vain. A file is
    /// begun beside its target; the target itself stays as it is until [`Sink::commit`].
    ///
    /// # Errors
    /// [`OutputError`] that names the file and what is wrong with it.
    pub fn open(&self, format: Format) -> Result<Sink, OutputError> {
        let inner = match self {
            Self::Stdout if format.is_binary() && io::stdout().is_terminal() => {
                return Err(OutputError::Terminal { format });
            }
            Self::Stdout => Inner::Stdout,
            Self::File(path) => open_file(path)?,
        };
        Ok(Sink { inner })
    }

    /// Writes a report in one go.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) and [`Sink::commit`].
    pub fn write(&self, bytes: &[u8], format: Format) -> Result<(), OutputError> {
        self.open(format)?.commit(bytes)
    }

    /// What to say when the system refuses to write here.
    #[must_use]
    pub fn refused(&self, source: io::Error) -> OutputError {
        match self {
            Self::Stdout => OutputError::Stdout(source),
            Self::File(file) => OutputError::File {
                file: file.clone(),
                source,
            },
        }
    }
}

/// An output that is ready to take a report. Dropped without [`commit`](Self::commit), it leaves nothing behind.
#[derive(Debug)]
pub struct Sink {
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    Stdout,
    /// A whole new file, to take the place of the target.
    Replace {
        begun: NamedTempFile,
        /// As given, for messages.
        file: PathBuf,
        /// Where symbolic links lead.
        target: PathBuf,
        permissions: Option<Permissions>,
    },
    /// Something that is no ordinary file (a device, a pipe) and is written to as it is.
    Through {
        open: File,
        file: PathBuf,
    },
}

impl Sink {
    /// Writes the report. A reader of standard output that has gone is no error.
    ///
    /// # Errors
    /// [`OutputError::File`] or [`OutputError::Stdout`] when the system refuses; a target file then is as it was.
    pub fn commit(self, bytes: &[u8]) -> Result<(), OutputError> {
        self.commit_with(|out| out.write_all(bytes))
    }

    /// Writes a report that is too large to be held, piece by piece.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn commit_with(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        match self.inner {
            Inner::Stdout => to_stdout(io::stdout().lock(), write),
            Inner::Through { open, file } => {
                buffered(open, write).map_err(|source| OutputError::File { file, source })
            }
            Inner::Replace {
                begun,
                file,
                target,
                permissions,
            } => replace(begun, &target, permissions, write)
                .map_err(|source| OutputError::File { file, source }),
        }
    }
}

impl Sink {
    /// The output, to be written bit by bit by whoever owns it.
    #[must_use]
    pub fn grow(self) -> Growing {
        Growing { inner: self.inner }
    }
}

/// An output that grows. Dropped without [`commit`](Self::commit), it leaves nothing behind in a file.
#[derive(Debug)]
pub struct Growing {
    inner: Inner,
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.inner {
            Inner::Stdout => io::stdout().write(bytes),
            Inner::Through { open, .. } => open.write(bytes),
            Inner::Replace { begun, .. } => begun.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.inner {
            Inner::Stdout => io::stdout().flush(),
            Inner::Through { open, .. } => open.flush(),
            Inner::Replace { begun, .. } => begun.flush(),
        }
    }
}

impl Growing {
    /// Ends the output: a file takes the place of its target.
    ///
    /// # Errors
    /// When the system refuses; a target file then is as it was.
    pub fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        match self.inner {
            Inner::Stdout | Inner::Through { .. } => Ok(()),
            Inner::Replace {
                begun,
                target,
                permissions,
                ..
            } => replace(begun, &target, permissions, |_| Ok(())),
        }
    }
}

/// Writes all of a report through a buffer.
fn buffered(
    out: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    write(&mut out)?;
    out.flush()
}

fn open_file(file: &Path) -> Result<Inner, OutputError> {
    let failed = |source| OutputError::File {
        file: file.to_owned(),
        source,
    };
    let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let existing = match fs::metadata(&target) {
        Ok(existing) => Some(existing),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    if let Some(existing) = &existing {
        if existing.is_dir() {
            return Err(OutputError::IsFolder {
                file: file.to_owned(),
            });
        }
        if existing.permissions().readonly() {
            return Err(OutputError::ReadOnly {
                file: file.to_owned(),
            });
        }
        if !existing.is_file() {
            let open = File::options().write(true).open(&target).map_err(failed)?;
            return Ok(Inner::Through {
                open,
                file: file.to_owned(),
            });
        }
    }
    let begun = begin(file, &target)?;
    Ok(Inner::Replace {
        begun,
        file: file.to_owned(),
        target,
        permissions: existing.map(|existing| existing.permissions()),
    })
}

/// A file beside the target, on the same file system, with the permissions that a new file gets.
fn begin(file: &Path, target: &Path) -> Result<NamedTempFile, OutputError> {
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(OutputError::NoFolder {
            file: file.to_owned(),
            folder: folder.to_owned(),
        });
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".diskcap-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder
        .tempfile_in(folder)
        .map_err(|source| OutputError::File {
            file: file.to_owned(),
            source,
        })
}

fn replace(
    mut begun: NamedTempFile,
    target: &Path,
    permissions: Option<Permissions>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    buffered(&mut begun, write)?;
    if let Some(permissions) = permissions {
        begun.as_file().set_permissions(permissions)?;
    }
    begun.as_file().sync_all()?;
    begun.persist(target).map_err(|error| error.error)?;
    Ok(())
}

fn to_stdout(
    out: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), OutputError> {
    match buffered(out, write) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(OutputError::Stdout(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
        Destination::File(path.to_owned()).write(bytes, Format::Csv)
    }

    #[test]
    fn a_reader_that_has_gone_is_no_error() {
        assert!(to_stdout(Failing(ErrorKind::BrokenPipe), |out| out.write_all(b"x")).is_ok());
        assert!(to_stdout(Failing(ErrorKind::StorageFull), |out| out.write_all(b"x")).is_err());
    }

    #[test]
    fn the_format_comes_from_the_ending_unless_asked_for() {
        let file = Destination::from_argument(Some(Path::new("a.xlsx")));
        assert_eq!(file.format(None), Ok(Format::Xlsx));
        assert_eq!(file.format(Some(Format::Csv)), Ok(Format::Csv));
        assert_eq!(
            Destination::from_argument(None).format(None),
            Ok(Format::Table)
        );
        assert_eq!(
            Destination::from_argument(Some(Path::new("-"))),
            Destination::Stdout
        );
        assert!(
            Destination::from_argument(Some(Path::new("a.b")))
                .format(None)
                .is_err()
        );
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let message = write(&folder.path().join("no/such/a.csv"), b"x")
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("there is no folder") && message.contains("no/such'"),
            "{message}"
        );
        let folder_itself = Destination::File(folder.path().to_owned());
        assert!(matches!(
            folder_itself.format(None),
            Err(FormatError::Folder { .. })
        ));
        let message = write(folder.path(), b"x").unwrap_err().to_string();
        assert!(message.contains("it is a folder"), "{message}");
    }

    #[test]
    fn an_unfinished_report_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        let sink = Destination::File(path.clone()).open(Format::Csv).unwrap();
        drop(sink);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        write(&path, b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_and_links_followed() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.csv"), folder.path().join("link.csv"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        fs::set_permissions(&path, Permissions::from_mode(0o440)).unwrap();
        assert!(matches!(
            write(&path, b"x"),
            Err(OutputError::ReadOnly { .. })
        ));
        let fresh = folder.path().join("fresh.csv");
        write(&fresh, b"x").unwrap();
        // As a program that simply creates its file would leave it.
        let plain = folder.path().join("plain.csv");
        fs::write(&plain, "x").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&fresh), mode(&plain));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_not_replaced() {
        use std::os::unix::fs::FileTypeExt as _;
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(
            fs::metadata("/dev/null")
                .unwrap()
                .file_type()
                .is_char_device()
        );
    }
}
