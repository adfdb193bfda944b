//! The Azure clouds: where their API and their sign-in live.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;

/// A separate Azure cloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Cloud {
    /// The public cloud.
    #[default]
    Public,
    /// Azure for the US government.
    UsGov,
    /// Azure in China, operated by 21Vianet.
    China,
}

impl Cloud {
    /// Every cloud.
    pub const ALL: [Self; 3] = [Self::Public, Self::UsGov, Self::China];

    /// The name used on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::UsGov => "usgov",
            Self::China => "china",
        }
    }

    /// The address of Azure Resource Manager, also the audience of its tokens.
    #[must_use]
    pub const fn resource_manager(self) -> &'static str {
        match self {
            Self::Public => "https://management.azure.com",
            Self::UsGov => "https://management.usgovcloudapi.net",
            Self::China => "https://management.chinacloudapi.cn",
        }
    }

    /// The address of Microsoft Entra ID.
    #[must_use]
    pub const fn authority(self) -> &'static str {
        match self {
            Self::Public => "https://login.microsoftonline.com",
            Self::UsGov => "https://login.microsoftonline.us",
            Self::China => "https://login.chinacloudapi.cn",
        }
    }

    /// The scope of tokens for Azure Resource Manager.
    #[must_use]
    pub fn scope(self) -> String {
        format!("{}/.default", self.resource_manager())
    }
}

impl fmt::Display for Cloud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no cloud.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown cloud '{input}': write public, usgov or china")]
pub struct UnknownCloud {
    /// The name as given.
    input: String,
}

impl FromStr for Cloud {
    type Err = UnknownCloud;
    fn from_str(input: &str) -> Result<Self, UnknownCloud> {
        Self::ALL
            .into_iter()
            .find(|cloud| cloud.name().eq_ignore_ascii_case(input.trim()))
            .ok_or_else(|| UnknownCloud {
                input: input.to_owned(),
            })
    }
}

/// An address that tokens must not be sent to, or that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// Not a URL with a host.
    #[error("'{input}' is not an address: write one such as https://management.azure.com")]
    NotAnAddress {
        /// What was given.
        input: String,
    },
    /// Tokens would travel in the clear.
    #[error(
        "'{input}' is not encrypted: use https (http is accepted for this machine only, such as http://127.0.0.1:8080)"
    )]
    NotEncrypted {
        /// What was given.
        input: String,
    },
}

/// Checks an address given in place of a cloud's own.
///
/// # Errors
/// [`EndpointError`] where it has no host, or would send tokens unencrypted over a network.
pub fn endpoint(input: &str) -> Result<Url, EndpointError> {
    let not_an_address = || EndpointError::NotAnAddress {
        input: input.to_owned(),
    };
    let url: Url = input.trim().parse().map_err(|_| not_an_address())?;
    let host = url.host_str().ok_or_else(not_an_address)?;
    let local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    match url.scheme() {
        "https" => Ok(url),
        "http" if local => Ok(url),
        "http" => Err(EndpointError::NotEncrypted {
            input: input.to_owned(),
        }),
        _ => Err(not_an_address()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clouds_are_found_by_name() {
        assert_eq!("USGov".parse(), Ok(Cloud::UsGov));
        let error = "mars".parse::<Cloud>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown cloud 'mars': write public, usgov or china"
        );
    }

    #[test]
    fn tokens_go_over_https_or_stay_here() {
        for good in [
            "https://proxy.example/arm",
            "http://127.0.0.1:9/",
            "http://localhost:1",
        ] {
            assert!(endpoint(good).is_ok(), "{good}");
        }
        assert!(matches!(
            endpoint("http://proxy.example"),
            Err(EndpointError::NotEncrypted { .. })
        ));
        for bad in ["", "proxy", "ftp://proxy.example", "https://"] {
            assert!(
                matches!(endpoint(bad), Err(EndpointError::NotAnAddress { .. })),
                "{bad}"
            );
        }
    }
}
