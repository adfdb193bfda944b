//! Resource Graph queries and Azure Monitor metrics: what `azure_mgmt_compute` lacks, asked with plain requests.

use serde::{Deserialize, Serialize};

use super::answer::{error_in, unreadable};
use super::compute::{Page, Take};
use super::error::CloudError;
use super::transport::{Request, Transport};
use crate::azure::facts::ResourceId;

/// The version of the Resource Graph API.
pub const RESOURCE_GRAPH_VERSION: &str = "2022-10-01";

/// The version of the Azure Monitor metrics API.
pub const METRICS_VERSION: &str = "2023-10-01";

/// Rows of one page: the most that Resource Graph gives.
const ROWS: u32 = 1_000;

/// The most pages of one query.
const MOST_PAGES: usize = 2_000;

/// Where a query looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GraphScope {
    /// These subscriptions.
    Subscriptions(Vec<String>),
    /// These management groups, with all below them.
    ManagementGroups(Vec<String>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Query<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    subscriptions: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    management_groups: Option<&'a [String]>,
    query: &'a str,
    options: Options<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Options<'a> {
    result_format: &'static str,
    #[serde(rename = "$top")]
    top: u32,
    #[serde(rename = "$skipToken", skip_serializing_if = "Option::is_none")]
    skip_token: Option<&'a str>,
}

#[derive(Default, Deserialize)]
struct Continuation {
    #[serde(rename = "$skipToken", default)]
    skip_token: Option<String>,
}

/// Makes a Resource Graph query and hands over the pages of the answer, rows as objects.
pub(crate) async fn query(
    transport: &Transport,
    scope: &GraphScope,
    query: &str,
    take: Take<'_>,
) -> Result<(), CloudError> {
    let mut url = transport.endpoint.clone();
    url.set_path("/providers/Microsoft.ResourceGraph/resources");
    url.query_pairs_mut()
        .append_pair("api-version", RESOURCE_GRAPH_VERSION);
    let mut token: Option<String> = None;
    for pages in 1.. {
        let request = Request {
            method: reqwest::Method::POST,
            url: url.clone(),
            body: Some(body(scope, query, token.as_deref()).into()),
        };
        let asked = request.asked();
        let answer = transport.send(&request).await?;
        let next = match serde_json::from_slice::<Continuation>(&answer) {
            Ok(continuation) => continuation.skip_token.filter(|token| !token.is_empty()),
            Err(error) if error.is_data() => None,
            Err(error) => return Err(unreadable(&asked, &answer, &error)),
        };
        take(Page {
            asked: asked.clone(),
            body: answer,
        })?;
        if next.is_none() {
            break;
        }
        if next == token || pages >= MOST_PAGES {
            return Err(CloudError::EndlessList { asked, pages });
        }
        token = next;
    }
    Ok(())
}

fn body(scope: &GraphScope, query: &str, skip_token: Option<&str>) -> String {
    let (subscriptions, management_groups) = match scope {
        GraphScope::Subscriptions(ids) => (Some(ids.as_slice()), None),
        GraphScope::ManagementGroups(ids) => (None, Some(ids.as_slice())),
    };
    let query = Query {
        subscriptions,
        management_groups,
        query,
        options: Options {
            result_format: "objectArray",
            top: ROWS,
            skip_token,
        },
    };
    // Structs of texts and numbers always serialise.
    serde_json::to_string(&query).unwrap_or_default()
}

/// Which metrics of a resource are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricQuery<'a> {
    /// The VM or disk.
    pub resource: &'a ResourceId,
    /// Metric names as the API spells them, at most 20.
    pub names: &'a [&'a str],
    /// From when to when, `2024-05-01T00:00:00Z/2024-05-02T00:00:00Z`.
    pub timespan: &'a str,
    /// The grain, such as `PT1M`.
    pub interval: &'a str,
    /// The aggregations, such as `Average,Maximum`.
    pub aggregation: &'a str,
    /// A filter by dimension, such as `LUN eq '*'`. It must be a dimension of every metric asked for.
    pub filter: Option<&'a str>,
    /// How many series of a dimension are wanted at most, where there is a filter; ten where it is not said.
    pub top: Option<u32>,
}

/// The metrics, as the API answers them.
pub(crate) async fn metrics(
    transport: &Transport,
    query: &MetricQuery<'_>,
) -> Result<Page, CloudError> {
    let mut url = transport.endpoint.clone();
    url.set_path(&format!(
        "{}/providers/Microsoft.Insights/metrics",
        query.resource
    ));
    url.query_pairs_mut()
        .append_pair("api-version", METRICS_VERSION)
        .append_pair("metricnames", &query.names.join(","))
        .append_pair("timespan", query.timespan)
        .append_pair("interval", query.interval)
        .append_pair("aggregation", query.aggregation);
    if let Some(filter) = query.filter {
        url.query_pairs_mut().append_pair("$filter", filter);
    }
    if let Some(top) = query.top {
        url.query_pairs_mut().append_pair("top", &top.to_string());
    }
    let request = Request::get(url);
    let asked = request.asked();
    let body = transport.send(&request).await?;
    serde_json::from_slice::<serde::de::IgnoredAny>(&body)
        .map_err(|error| unreadable(&asked, &body, &error))?;
    match error_in(reqwest::StatusCode::OK, &body) {
        Some(answer) => Err(CloudError::ErrorInBody { asked, answer }),
        None => Ok(Page { asked, body }),
    }
}
