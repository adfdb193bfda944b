//! All prices of a region, page by page.

use std::collections::HashSet;

use jiff::civil::Date;
use reqwest::Url;

use super::collect::{Collector, Tally};
use super::item::{Page, PageError};
use super::query::{self, ForeignLink};
use crate::azure::fetch::{FetchError, Fetcher};
use crate::catalog::price::{Currency, PriceBook, Region};

/// More pages than any region's answer has: an answer that goes on beyond is refused, never cut short.
const MOST_PAGES: usize = 500;

/// Why the prices of a region could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RetailError {
    /// A page could not be fetched.
    #[error("{0}")]
    Fetch(#[from] FetchError),
    /// A page is not of the form.
    #[error("{url}: {what}")]
    Page {
        /// The page.
        url: Url,
        /// What is wrong with it.
        what: PageError,
    },
    /// A page leads to another server.
    #[error("{url}: {link}")]
    Link {
        /// The page.
        url: Url,
        /// The link.
        link: ForeignLink,
    },
    /// A page leads back to an earlier one.
    #[error("{url}: the page comes up twice, so the answer has no end")]
    Loop {
        /// The page.
        url: Url,
    },
    /// There are more pages than there can be.
    #[error("{url}: the answer still goes on after {MOST_PAGES} pages")]
    Endless {
        /// The first page too many.
        url: Url,
    },
    /// The name is not one that a region can have.
    #[error("'{0}' is not the name of a region: write one such as eastus or westeurope")]
    NotARegion(Region),
    /// The answers have no price of the region.
    #[error(
        "{url}: no {currency} price of a VM or disk in '{region}' ({items} items read); is the name right?"
    )]
    Nothing {
        /// What was asked.
        url: Url,
        /// The region.
        region: Region,
        /// The currency.
        currency: Currency,
        /// How many items the answers had.
        items: usize,
    },
}

/// The prices of a region, and what they were made from.
#[derive(Debug, Clone, PartialEq)]
pub struct FetchedRegion {
    /// The prices.
    pub book: PriceBook,
    /// What became of the items.
    pub tally: Tally,
    /// How many pages were read.
    pub pages: usize,
}

/// A client of the Retail Prices API.
#[derive(Debug, Clone)]
pub struct RetailClient {
    fetcher: Fetcher,
    base: Url,
}

impl RetailClient {
    /// A client of the API at `base` ([`query::RETAIL_PRICES_URL`]).
    #[must_use]
    pub const fn new(fetcher: Fetcher, base: Url) -> Self {
        Self { fetcher, base }
    }

    /// Where the API is.
    #[must_use]
    pub const fn base(&self) -> &Url {
        &self.base
    }

    /// The prices of `region` that hold on `day`, all pages of them or none.
    ///
    /// # Errors
    /// [`RetailError`] when any page cannot be read, or nothing in them is priced.
    pub async fn region(
        &self,
        region: &Region,
        currency: Currency,
        day: Date,
    ) -> Result<FetchedRegion, RetailError> {
        if !region.is_geographic() {
            return Err(RetailError::NotARegion(region.clone()));
        }
        let mut collector = Collector::new(currency, day).only(region.clone());
        let mut pages = 0;
        for filter in query::filters(region) {
            let first = query::first_page(&self.base, &filter, currency);
            pages += self.pages(first, &mut collector).await?;
        }
        let (mut books, tally) = collector.finish();
        match books.remove(region) {
            Some(book) => Ok(FetchedRegion { book, tally, pages }),
            None => Err(RetailError::Nothing {
                url: self.base.clone(),
                region: region.clone(),
                currency,
                items: tally.items(),
            }),
        }
    }

    /// Reads the page at `first` and all that follow; how many there were.
    async fn pages(&self, first: Url, collector: &mut Collector) -> Result<usize, RetailError> {
        let mut seen = HashSet::new();
        let mut next = Some(first);
        while let Some(url) = next {
            if seen.len() == MOST_PAGES {
                return Err(RetailError::Endless { url });
            }
            if !seen.insert(url.clone()) {
                return Err(RetailError::Loop { url });
            }
            let text = self.fetcher.text(&url).await?;
            let page = Page::parse(&text).map_err(|what| RetailError::Page {
                url: url.clone(),
                what,
            })?;
            for item in &page.items {
                collector.add(item);
            }
            next = page
                .next
                .map(|link| query::next_page(&self.base, &link))
                .transpose()
                .map_err(|link| RetailError::Link { url, link })?;
        }
        Ok(seen.len())
    }
}
