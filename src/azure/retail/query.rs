//! The questions that the Retail Prices API is asked, and the way from page to page.

use reqwest::Url;

use crate::catalog::price::{Currency, Region};

/// Where the API is. Source: "Azure Retail Prices overview", Microsoft Learn.
pub const RETAIL_PRICES_URL: &str = "https://prices.azure.com/api/retail/prices";

/// The products that managed disks are billed under.
const DISK_PRODUCTS: [&str; 5] = [
    "Premium SSD Managed Disks",
    "Standard SSD Managed Disks",
    "Standard HDD Managed Disks",
    "Azure Premium SSD v2",
    "Ultra Disks",
];

/// The filters that together ask for the prices of a region: disks, and VMs without development and test prices.
/// (The API knows no `not`; what it lists besides is told apart item by item.)
#[must_use]
pub fn filters(region: &Region) -> [String; 2] {
    let products: Vec<String> = DISK_PRODUCTS
        .iter()
        .map(|product| format!("productName eq '{product}'"))
        .collect();
    [
        format!(
            "serviceName eq 'Storage' and armRegionName eq '{region}' and ({})",
            products.join(" or ")
        ),
        format!(
            "serviceName eq 'Virtual Machines' and armRegionName eq '{region}' \
             and (priceType eq 'Consumption' or priceType eq 'Reservation')"
        ),
    ]
}

/// The first page of the answer to `filter`.
#[must_use]
pub fn first_page(base: &Url, filter: &str, currency: Currency) -> Url {
    let mut url = base.clone();
    url.query_pairs_mut()
        .append_pair("currencyCode", &format!("'{currency}'"))
        .append_pair("$filter", filter);
    url
}

/// The next page, which must lie on the server that was asked.
///
/// # Errors
/// [`ForeignLink`] when the link is no URL or leads elsewhere.
pub fn next_page(base: &Url, link: &str) -> Result<Url, ForeignLink> {
    let same_server = |url: &Url| {
        url.scheme() == base.scheme()
            && url.host() == base.host()
            && url.port_or_known_default() == base.port_or_known_default()
    };
    base.join(link)
        .ok()
        .filter(same_server)
        .ok_or_else(|| ForeignLink(link.to_owned()))
}

/// A link to a next page that leads to another server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the next page would be on another server: {0}")]
pub struct ForeignLink(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Url {
        RETAIL_PRICES_URL.parse().unwrap()
    }

    #[test]
    fn the_question_is_encoded() {
        let [disks, vms] = filters(&Region::new("East US"));
        assert_eq!(
            disks,
            "serviceName eq 'Storage' and armRegionName eq 'eastus' and \
             (productName eq 'Premium SSD Managed Disks' or productName eq 'Standard SSD Managed Disks' \
             or productName eq 'Standard HDD Managed Disks' or productName eq 'Azure Premium SSD v2' \
             or productName eq 'Ultra Disks')"
        );
        let url = first_page(&base(), &vms, Currency::USD);
        let asked: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        assert_eq!(asked[0], ("currencyCode".to_owned(), "'USD'".to_owned()));
        assert_eq!(asked[1], ("$filter".to_owned(), vms));
        assert!(!url.as_str().contains(' '));
    }

    #[test]
    fn pages_stay_on_the_server() {
        let same = "https://prices.azure.com:443/api/retail/prices?$filter=x&$skip=1000";
        assert_eq!(
            next_page(&base(), same).unwrap().query(),
            Some("$filter=x&$skip=1000")
        );
        for foreign in [
            "https://prices.example.com/api/retail/prices?$skip=1000",
            "http://prices.azure.com/api/retail/prices?$skip=1000",
            "https://prices.azure.com:8443/api/retail/prices",
            "https://prices.azure.com@evil.example/api",
            "file:///etc/passwd",
            "http://[",
        ] {
            assert!(next_page(&base(), foreign).is_err(), "{foreign}");
        }
    }
}
