//! The shape of a Retail Prices API answer, as it comes over the wire.
//!
//! Every field is optional: what an item lacks is decided where it is classified, so that one odd item never hides
//! the others.

use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

/// One item of the price list.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Item {
    /// ISO 4217 code.
    pub currency_code: Option<String>,
    /// The use from which on this price holds.
    pub tier_minimum_units: Option<f64>,
    /// The price.
    pub retail_price: Option<f64>,
    /// The same price under its other name.
    pub unit_price: Option<f64>,
    /// The region as the API spells it; `Global`, `Zone 1` or nothing for prices of no single region.
    pub arm_region_name: Option<String>,
    /// When the price began, RFC 3339.
    pub effective_start_date: Option<String>,
    /// When the price ends, RFC 3339, where that is known.
    pub effective_end_date: Option<String>,
    /// The meter (`P10 LRS Disk`, `D2s v3`).
    pub meter_name: Option<String>,
    /// The product (`Premium SSD Managed Disks`).
    pub product_name: Option<String>,
    /// The SKU (`P10 LRS`), shared by several meters.
    pub sku_name: Option<String>,
    /// The service (`Storage`, `Virtual Machines`).
    pub service_name: Option<String>,
    /// What the price is for (`1 Hour`, `1/Month`, `10K`).
    pub unit_of_measure: Option<String>,
    /// `Consumption`, `DevTestConsumption` or `Reservation`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Whether bills use this meter.
    pub is_primary_meter_region: Option<bool>,
    /// The name of a VM size; of disks in no uniform spelling, and often empty.
    pub arm_sku_name: Option<String>,
    /// `1 Year`, `3 Years`, … of a reservation.
    pub reservation_term: Option<String>,
}

impl Item {
    /// A field as text: trimmed, `""` where it is absent.
    pub(super) fn text(field: &Option<String>) -> &str {
        field.as_deref().unwrap_or_default().trim()
    }

    /// The day that the price began.
    pub(super) fn start(&self) -> Option<Date> {
        day(&self.effective_start_date)
    }

    /// The day that the price ends.
    pub(super) fn end(&self) -> Option<Date> {
        day(&self.effective_end_date)
    }
}

/// The calendar day at the head of an RFC 3339 time.
fn day(time: &Option<String>) -> Option<Date> {
    Item::text(time).get(..10)?.parse().ok()
}

/// A page of items.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The items; for one that is not of the form, what is wrong with it.
    pub items: Vec<Result<Item, String>>,
    /// Where the next page is; `None` on the last one.
    pub next: Option<String>,
    /// How many items the answer says that it has. It may disagree with the items, and nothing depends on it.
    pub count: Option<u64>,
}

/// Why a text is not a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// It is not JSON.
    #[error("the answer is not JSON ({0})")]
    NotJson(String),
    /// It is JSON, but no price list.
    #[error("the answer has no list 'Items'{}", .0.as_deref().map(|says| format!("; it says: {says}")).unwrap_or_default())]
    NoItems(Option<String>),
}

impl Page {
    /// Reads an answer of the API, or a bare JSON array of items.
    ///
    /// # Errors
    /// [`PageError`] when the text is not JSON or has no list of items.
    pub fn parse(text: &str) -> Result<Self, PageError> {
        let json: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| PageError::NotJson(error.to_string()))?;
        let (items, next, count) = match json {
            Value::Array(items) => (items, None, None),
            Value::Object(mut envelope) => match envelope.remove("Items") {
                Some(Value::Array(items)) => {
                    let next = envelope.get("NextPageLink").and_then(Value::as_str);
                    let next = next.map(str::trim).filter(|link| !link.is_empty());
                    let count = envelope.get("Count").and_then(Value::as_u64);
                    (items, next.map(str::to_owned), count)
                }
                _ => return Err(PageError::NoItems(complaint(&Value::Object(envelope)))),
            },
            _ => return Err(PageError::NoItems(None)),
        };
        let items = items
            .into_iter()
            .map(|item| serde_json::from_value(item).map_err(|error| error.to_string()))
            .collect();
        Ok(Self { items, next, count })
    }
}

/// What an answer that is no price list complains about, where it says so.
fn complaint(envelope: &Value) -> Option<String> {
    ["/error/message", "/Error/Message", "/message", "/Message"]
        .into_iter()
        .find_map(|place| envelope.pointer(place)?.as_str().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_an_envelope_or_a_bare_array() {
        let page = Page::parse(
            "\u{feff}{\"Items\":[{\"skuName\":\"P10 LRS\"}],\"NextPageLink\":\"https://x/next\",\"Count\":7}",
        )
        .unwrap();
        assert_eq!(page.items.len(), 1);
        assert_eq!(page.next.as_deref(), Some("https://x/next"));
        assert_eq!(page.count, Some(7));
        let page = Page::parse("[{\"skuName\":\"P10 LRS\"},{}]").unwrap();
        assert_eq!((page.items.len(), page.next), (2, None));
    }

    #[test]
    fn an_empty_link_is_no_next_page() {
        for link in ["null", "\"\"", "\" \""] {
            let text = format!("{{\"Items\":[],\"NextPageLink\":{link},\"Count\":0}}");
            assert_eq!(Page::parse(&text).unwrap().next, None, "{link}");
        }
    }

    #[test]
    fn an_odd_item_does_not_hide_the_others() {
        let page =
            Page::parse("[{\"retailPrice\":\"free\"},{\"retailPrice\":8.8E-05},17]").unwrap();
        assert!(page.items[0].is_err());
        assert_eq!(page.items[1].as_ref().unwrap().retail_price, Some(8.8e-5));
        assert!(page.items[2].is_err());
    }

    #[test]
    fn what_is_no_page_says_why() {
        assert!(matches!(Page::parse("<html>"), Err(PageError::NotJson(_))));
        assert!(matches!(
            Page::parse("{\"Items\":[{}"),
            Err(PageError::NotJson(_))
        ));
        let error = Page::parse("{\"error\":{\"code\":\"Bad\",\"message\":\"Invalid OData\"}}")
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "the answer has no list 'Items'; it says: Invalid OData"
        );
        assert_eq!(Page::parse("17"), Err(PageError::NoItems(None)));
    }

    #[test]
    fn days_are_read_from_times() {
        let item = Item {
            effective_start_date: Some("2025-09-01T00:00:00Z".to_owned()),
            effective_end_date: Some("soon".to_owned()),
            ..Item::default()
        };
        assert_eq!(item.start(), Some(Date::constant(2025, 9, 1)));
        assert_eq!(item.end(), None);
    }
}
