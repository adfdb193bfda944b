//! Plans as a service: one JSON request a line in, one JSON answer a line out, each connection a task of its own.
//!
//! The planner is pure and takes well under a millisecond, so it can run where the request is read. The example starts the service on
//! a free local port, asks it three things as a client would, and ends.
//!
//! `cargo run --example service`

use std::error::Error;

use diskcap::catalog::Catalog;
use diskcap::deployment::{DiskSpec, PlanRequest};
use diskcap::planner::{Assessment, assess};
use diskcap::workload::Profile;
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What a client asks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    vm: Option<String>,
    disks: Vec<String>,
    profile: Option<String>,
}

type Failure = Box<dyn Error + Send + Sync>;

/// The answer: the same document that `diskcap plan --format json` prints.
fn plan(line: &str) -> Result<Assessment, Failure> {
    let question: Question = serde_json::from_str(line)?;
    let disks: Result<Vec<DiskSpec>, _> = question.disks.iter().map(|d| d.parse()).collect();
    let profile = question
        .profile
        .as_deref()
        .map(Profile::named)
        .transpose()?;
    let request = PlanRequest {
        vm: question.vm,
        volumes: disks?.into_iter().map(Into::into).collect(),
        profiles: profile.into_iter().collect(),
        ..PlanRequest::default()
    };
    // Read once, shared by all tasks.
    let catalog = Catalog::embedded();
    let plan = request.build(catalog)?;
    Ok(assess(catalog, &plan.deployment, &plan.workloads))
}

/// What goes back: a plan, or what was wrong with the question. A bad question never ends the service.
fn answer(line: &str) -> String {
    let said = plan(line).and_then(|plan| Ok(serde_json::to_string(&plan)?));
    said.unwrap_or_else(|error| serde_json::json!({ "error": error.to_string() }).to_string())
}

async fn serve(stream: TcpStream) -> std::io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    while let Some(line) = lines.next_line().await? {
        writer.write_all((answer(&line) + "\n").as_bytes()).await?;
    }
    Ok(())
}

async fn listen(listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve(stream));
    }
}

#[expect(clippy::print_stdout, reason = "an example shows what it found")]
async fn ask(address: std::net::SocketAddr) -> Result<(), Failure> {
    let (reader, mut writer) = TcpStream::connect(address).await?.into_split();
    let mut answers = BufReader::new(reader).lines();
    for question in [
        r#"{"vm": "D8s_v3", "disks": ["data=P40:cache=ro"], "profile": "backup"}"#,
        r#"{"disks": ["4xP30", "log=v2:size=256"]}"#,
        r#"{"vm": "D8s_v33", "disks": ["P30"]}"#,
    ] {
        writer
            .write_all((question.to_owned() + "\n").as_bytes())
            .await?;
        let answer = answers.next_line().await?.unwrap_or_default();
        println!("> {question}");
        // A client in another language would read the JSON; its schema is in docs/schema.
        match serde_json::from_str::<Assessment>(&answer) {
            Ok(plan) => print_plan(&plan),
            Err(_) => println!("{answer}"),
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "an example shows what it found")]
fn print_plan(plan: &Assessment) {
    for volume in plan.workloads.iter().flat_map(|workload| &workload.volumes) {
        let mbps = volume.alone.sustained.mbps;
        let shown = mbps.map_or_else(|| "?".to_owned(), |mbps| mbps.to_string());
        println!(
            "{}: {shown} MB/s, stopped by {}",
            volume.volume, volume.alone.sustained.bottleneck
        );
    }
    for finding in &plan.findings {
        println!("{} {}: {}", finding.severity, finding.id, finding.message);
    }
}

fn main() -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        tokio::spawn(listen(listener));
        ask(address).await
    })
}
