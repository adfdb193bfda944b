//! Sends requests: signed, bounded in time and size, repeated where that helps, and never to another host.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use azure_core::Bytes;
use backon::Retryable;
use reqwest::{Method, Url};

use super::answer::failure;
use super::error::{Asked, CloudError};
use super::secret::Secret;
use super::token::Tokens;
use crate::azure::fetch::{Patience, describe};

/// The largest answer that is read: the SKUs of all regions are some 100 MB.
const LARGEST_ANSWER: usize = 512 << 20;

/// One request to Azure Resource Manager.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) body: Option<Bytes>,
}

impl Request {
    pub(crate) const fn get(url: Url) -> Self {
        Self {
            method: Method::GET,
            url,
            body: None,
        }
    }

    pub(crate) fn asked(&self) -> Asked {
        Asked::new(&self.method, &self.url)
    }
}

/// The way to one Azure Resource Manager.
#[derive(Debug)]
pub(crate) struct Transport {
    pub(crate) http: reqwest::Client,
    pub(crate) endpoint: Url,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) patience: Patience,
}

impl Transport {
    /// The body of a successful answer.
    ///
    /// A refused token is renewed once; throttling, failures of the service and broken connections are waited out by
    /// the retry policy.
    pub(crate) async fn send(&self, request: &Request) -> Result<Bytes, CloudError> {
        self.check_host(request)?;
        let token = self.tokens.get().await?;
        match self.send_patiently(request, &token).await {
            Err(CloudError::Expired { .. }) => {
                let renewed = self.tokens.renew(&token).await?;
                self.send_patiently(request, &renewed).await
            }
            outcome => outcome,
        }
    }

    /// The token goes to the endpoint and nowhere else.
    fn check_host(&self, request: &Request) -> Result<(), CloudError> {
        let same = request.url.scheme() == self.endpoint.scheme()
            && request.url.host_str() == self.endpoint.host_str()
            && request.url.port_or_known_default() == self.endpoint.port_or_known_default();
        if same {
            return Ok(());
        }
        Err(CloudError::ForeignLink {
            asked: request.asked(),
            host: request.url.host_str().unwrap_or_default().to_owned(),
        })
    }

    async fn send_patiently(&self, request: &Request, token: &Secret) -> Result<Bytes, CloudError> {
        let tried = AtomicU32::new(0);
        let attempt = || {
            tried.fetch_add(1, Ordering::Relaxed);
            self.send_once(request, token)
        };
        attempt
            .retry(self.patience.pauses())
            .when(|error| error.is_worth_another(tried.load(Ordering::Relaxed)))
            .adjust(|error, planned| self.patience.pause(planned, error.wait()))
            .await
            .map_err(|error| error.after(tried.load(Ordering::Relaxed)))
    }

    async fn send_once(&self, request: &Request, token: &Secret) -> Result<Bytes, CloudError> {
        let mut builder = self
            .http
            .request(request.method.clone(), request.url.clone())
            .timeout(self.patience.timeout)
            .bearer_auth(token.expose())
            .header(reqwest::header::ACCEPT, "application/json");
        if let Some(body) = &request.body {
            builder = builder
                .header(reqwest::header::CONTENT_TYPE, "application/json")
                .body(body.clone());
        }
        let mut answer = builder
            .send()
            .await
            .map_err(|error| self.broken(request, 0, &error))?;
        let mut body = Vec::new();
        while let Some(chunk) = answer
            .chunk()
            .await
            .map_err(|error| self.broken(request, body.len(), &error))?
        {
            if body.len() + chunk.len() > LARGEST_ANSWER {
                return Err(CloudError::TooLarge {
                    asked: request.asked(),
                    limit: LARGEST_ANSWER,
                });
            }
            body.extend_from_slice(&chunk);
        }
        if answer.status().is_success() {
            return Ok(body.into());
        }
        Err(failure(
            request.asked(),
            answer.status(),
            answer.headers(),
            &body,
        ))
    }

    /// The error of a request that got no answer, or not all of one.
    fn broken(&self, request: &Request, received: usize, error: &reqwest::Error) -> CloudError {
        let asked = request.asked();
        if error.is_timeout() {
            return CloudError::Timeout {
                asked,
                after: self.patience.timeout,
                attempts: 1,
            };
        }
        if error.is_body() || error.is_decode() {
            return CloudError::CutOff {
                asked,
                received,
                attempts: 1,
            };
        }
        let (reason, attempts) = (describe(error), 1);
        if error.is_connect() {
            return CloudError::Unreachable {
                asked,
                reason,
                attempts,
            };
        }
        CloudError::Connection {
            asked,
            reason,
            attempts,
        }
    }
}
