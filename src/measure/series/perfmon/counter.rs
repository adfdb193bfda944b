//! What a counter of a disk means, in whatever language Windows speaks.
//!
//! Windows translates counter names, and PerfMon logs carry them translated. A list of every name of every language
//! and version would never be whole, so names are told by the stems of their words: a counter that averages and has
//! no bytes is a latency, one with bytes a second is a throughput, and so on. The stems cover English, German, French,
//! Spanish, Portuguese, Italian, Dutch, Swedish, Polish, Czech, Hungarian, Turkish, Russian, Japanese, Chinese and
//! Korean; where a letter with an accent can be done without it is left out, for old code pages are easily mistaken.
//! For other languages the usual order of the counters helps out ([`by_position`]).

use crate::measure::series::model::GaugeKind;
use crate::measure::series::row::Row;
use crate::units::MB;

/// Stems of words, in lower case.
type Stems = &'static [&'static str];

const READ: Stems = &[
    "read",
    "lese",
    "gelesen",
    "lectur",
    "leíd",
    "leitur",
    "lidos",
    "lettur",
    "letti",
    "läs",
    "lees",
    "gelezen",
    "odczyt",
    "čten",
    "olvas",
    "oku",
    "чтени",
    "読み取り",
    "读",
    "讀",
    "읽",
];
const WRITE: Stems = &[
    "writ",
    "schreib",
    "geschrieb",
    "critur",
    "escrit",
    "grava",
    "scritt",
    "skriv",
    "schrijf",
    "geschrev",
    "zapis",
    "zápis",
    "írás",
    "yaz",
    "запис",
    "書き込み",
    "写",
    "寫",
    "쓰",
];
const TRANSFER: Stems = &[
    "transf",
    "bertrag",
    "trasfer",
    "överför",
    "overdracht",
    "przesł",
    "přenos",
    "átvitel",
    "aktar",
    "обращени",
    "передач",
    "転送",
    "传输",
    "傳輸",
    "전송",
];
const BYTES: Stems = &[
    "byte",
    "octet",
    "bajt",
    "bájt",
    "bayt",
    "байт",
    "バイト",
    "字节",
    "字節",
    "位元組",
    "바이트",
];
const MEGA: Stems = &["mega", "méga", "мега", "メガ", "兆", "메가"];
const QUEUE: Stems = &[
    "queue",
    "warteschlange",
    "file d",
    "attente",
    "cola",
    "coda",
    "fila",
    "kö",
    "wachtrij",
    "kolejk",
    "front",
    "várólist",
    "kuyruk",
    "очеред",
    "キュー",
    "队列",
    "佇列",
    "큐",
    "대기열",
];
const MEAN: Stems = &[
    "avg",
    "average",
    "mittl",
    "durchschn",
    "moy",
    "prom",
    "medi",
    "médi",
    "genomsnitt",
    "medel",
    "gem.",
    "gemiddeld",
    "średni",
    "prům",
    "átlag",
    "ort.",
    "ortalama",
    "средн",
    "平均",
    "평균",
];
const PERCENT: Stems = &[
    "%",
    "percent",
    "pourcent",
    "porcent",
    "prozent",
    "процент",
    "yüzde",
];
const IDLE: Stems = &[
    "idle",
    "leerlauf",
    "inactiv",
    "inattiv",
    "ocios",
    "inaktiv",
    "inactief",
    "bezczynn",
    "nečinn",
    "üresjárat",
    "boş",
    "бездейств",
    "простоя",
    "アイドル",
    "空闲",
    "閒置",
    "유휴",
];
const PER_SECOND: Stems = &["/s", "/с", "/秒", "/초", "per sec", "al sec", "por s"];
const DISK: Stems = &[
    "disk",
    "disque",
    "disco",
    "datentr",
    "schijf",
    "dysk",
    "lemez",
    "диск",
    "ディスク",
    "磁盘",
    "磁碟",
    "디스크",
];
const LOGICAL: Stems = &[
    "logi",
    "lógi",
    "logický",
    "логич",
    "mantıksal",
    "論理",
    "逻辑",
    "邏輯",
    "논리",
];

fn has(name: &str, stems: Stems) -> bool {
    stems.iter().any(|stem| name.contains(stem))
}

/// Whose counters an object has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Object {
    /// Physical disks.
    Physical,
    /// Logical disks: drive letters and mount points.
    Logical,
}

impl Object {
    /// The object by its name; `None` where it is not one of disks.
    pub fn of(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        if !has(&name, DISK) || name.contains("filesystem") || name.contains("cluster") {
            return None;
        }
        Some(if has(&name, LOGICAL) {
            Self::Logical
        } else {
            Self::Physical
        })
    }
}

/// What a counter means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counter {
    /// Reads per second.
    Reads,
    /// Writes per second.
    Writes,
    /// Both per second.
    Transfers,
    /// Bytes read per second.
    ReadBytes,
    /// Bytes written per second.
    WrittenBytes,
    /// Bytes of both per second.
    Bytes,
    /// Seconds per read.
    ReadSeconds,
    /// Seconds per write.
    WriteSeconds,
    /// Seconds per I/O.
    Seconds,
    /// I/Os outstanding, on average.
    MeanQueue,
    /// I/Os outstanding, at the moment of the sample.
    PresentQueue,
    /// Percent of time without any I/O.
    Idle,
}

impl Counter {
    /// The meaning of a counter by its name; `None` for those that are not needed or not known.
    pub fn of(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let (read, write) = (has(&name, READ), has(&name, WRITE));
        let either = |reads: Self, writes: Self, both: Self| match (read, write) {
            (true, false) => reads,
            (false, true) => writes,
            _ => both,
        };
        if has(&name, PERCENT) {
            return has(&name, IDLE).then_some(Self::Idle);
        }
        if has(&name, QUEUE) {
            // The mean queues of reads alone and of writes alone are not needed.
            return match (has(&name, MEAN), read || write) {
                (true, false) => Some(Self::MeanQueue),
                (false, false) => Some(Self::PresentQueue),
                _ => None,
            };
        }
        if has(&name, MEAN) {
            let bytes = has(&name, BYTES);
            return (!bytes).then(|| either(Self::ReadSeconds, Self::WriteSeconds, Self::Seconds));
        }
        if has(&name, BYTES) {
            let rate = has(&name, PER_SECOND) && !has(&name, MEGA);
            return rate.then(|| either(Self::ReadBytes, Self::WrittenBytes, Self::Bytes));
        }
        let known = read || write || has(&name, TRANSFER);
        known.then(|| either(Self::Reads, Self::Writes, Self::Transfers))
    }

    /// Puts a figure of this counter into a row, in our units.
    pub fn put(self, figure: f64, row: &mut Row) {
        let micros = Some(figure * 1e6);
        let mbps = Some(figure / MB);
        match self {
            Self::Reads => row.read.iops = Some(figure),
            Self::Writes => row.write.iops = Some(figure),
            Self::Transfers => row.total.iops = Some(figure),
            Self::ReadBytes => row.read.mbps = mbps,
            Self::WrittenBytes => row.write.mbps = mbps,
            Self::Bytes => row.total.mbps = mbps,
            Self::ReadSeconds => row.read.latency = micros,
            Self::WriteSeconds => row.write.latency = micros,
            Self::Seconds => row.total.latency = micros,
            Self::MeanQueue | Self::PresentQueue => row.queue_depth = Some(figure),
            Self::Idle => row.gauge(GaugeKind::Busy, Some((100.0 - figure).clamp(0.0, 100.0))),
        }
    }
}

/// The order in which Windows lists the counters of a physical disk. A logical disk has two of free space before them.
const ORDER: [Option<Counter>; 21] = [
    Some(Counter::PresentQueue),
    None,
    Some(Counter::MeanQueue),
    None,
    None,
    None,
    None,
    Some(Counter::Seconds),
    Some(Counter::ReadSeconds),
    Some(Counter::WriteSeconds),
    Some(Counter::Transfers),
    Some(Counter::Reads),
    Some(Counter::Writes),
    Some(Counter::Bytes),
    Some(Counter::ReadBytes),
    Some(Counter::WrittenBytes),
    None,
    None,
    None,
    Some(Counter::Idle),
    None,
];
/// Counters of free space that a logical disk has first.
const FREE_SPACE: usize = 2;

/// The counters of an instance by their usual order, where all are there.
pub(super) fn by_position(count: usize) -> Option<Vec<Option<Counter>>> {
    let before = count.checked_sub(ORDER.len())?;
    if before != 0 && before != FREE_SPACE {
        return None;
    }
    let mut counters = vec![None; before];
    counters.extend(ORDER);
    Some(counters)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row: reads, writes and both per second; their bytes; their seconds; the two queues; idle time.
    const NAMES: &[(&str, [&str; 12])] = &[
        (
            "English",
            [
                "Disk Reads/sec",
                "Disk Writes/sec",
                "Disk Transfers/sec",
                "Disk Read Bytes/sec",
                "Disk Write Bytes/sec",
                "Disk Bytes/sec",
                "Avg. Disk sec/Read",
                "Avg. Disk sec/Write",
                "Avg. Disk sec/Transfer",
                "Avg. Disk Queue Length",
                "Current Disk Queue Length",
                "% Idle Time",
            ],
        ),
        (
            "German",
            [
                "Lesevorgänge/s",
                "Schreibvorgänge/s",
                "Übertragungen/s",
                "Bytes gelesen/s",
                "Bytes geschrieben/s",
                "Bytes/s",
                "Mittlere Sek./Lesevorgänge",
                "Mittlere Sek./Schreibvorgänge",
                "Mittlere Sek./Übertragung",
                "Durchschnittl. Warteschlangenlänge des Datenträgers",
                "Aktuelle Warteschlangenlänge",
                "Leerlauf (%)",
            ],
        ),
        (
            "French",
            [
                "Lectures disque/s",
                "Écritures disque/s",
                "Transferts disque/s",
                "Lectures disque, octets/s",
                "Écritures disque, octets/s",
                "Octets disque/s",
                "Moyenne disque s/lecture",
                "Moyenne disque s/écriture",
                "Moyenne disque s/transfert",
                "Longueur moyenne de file d'attente du disque",
                "Taille de file d'attente du disque actuelle",
                "% d'inactivité",
            ],
        ),
        (
            "Spanish",
            [
                "Lecturas de disco/s",
                "Escrituras en disco/s",
                "Transferencias de disco/s",
                "Bytes de lectura de disco/s",
                "Bytes de escritura en disco/s",
                "Bytes de disco/s",
                "Promedio de segundos de disco/lectura",
                "Promedio de segundos de disco/escritura",
                "Promedio de segundos de disco/transferencia",
                "Promedio de longitud de la cola de disco",
                "Longitud actual de la cola de disco",
                "% de tiempo inactivo",
            ],
        ),
        (
            "Italian",
            [
                "Letture disco/sec",
                "Scritture disco/sec",
                "Trasferimenti disco/sec",
                "Byte letti da disco/sec",
                "Byte scritti su disco/sec",
                "Byte da/su disco/sec",
                "Media letture disco/sec",
                "Media scritture disco/sec",
                "Media trasferimenti disco/sec",
                "Lunghezza media coda del disco",
                "Lunghezza corrente coda del disco",
                "% tempo di inattività",
            ],
        ),
        (
            "Japanese",
            [
                "ディスク読み取り/秒",
                "ディスク書き込み/秒",
                "ディスク転送/秒",
                "ディスク読み取りバイト/秒",
                "ディスク書き込みバイト/秒",
                "ディスク バイト/秒",
                "平均ディスク秒/読み取り",
                "平均ディスク秒/書き込み",
                "平均ディスク秒/転送",
                "平均ディスク キューの長さ",
                "現在のディスク キューの長さ",
                "% アイドル時間",
            ],
        ),
        (
            "Russian",
            [
                "Обращений чтения с диска/с",
                "Обращений записи на диск/с",
                "Обращений к диску/с",
                "Скорость чтения с диска (байт/с)",
                "Скорость записи на диск (байт/с)",
                "Скорость обмена с диском (байт/с)",
                "Среднее время чтения с диска (с)",
                "Среднее время записи на диск (с)",
                "Среднее время обращения к диску (с)",
                "Средняя длина очереди диска",
                "Текущая длина очереди диска",
                "% времени бездействия",
            ],
        ),
    ];
    const MEANINGS: [Counter; 12] = [
        Counter::Reads,
        Counter::Writes,
        Counter::Transfers,
        Counter::ReadBytes,
        Counter::WrittenBytes,
        Counter::Bytes,
        Counter::ReadSeconds,
        Counter::WriteSeconds,
        Counter::Seconds,
        Counter::MeanQueue,
        Counter::PresentQueue,
        Counter::Idle,
    ];

    #[test]
    fn names_in_many_languages() {
        for (language, names) in NAMES {
            for (name, meaning) in names.iter().zip(MEANINGS) {
                assert_eq!(Counter::of(name), Some(meaning), "{language}: {name}");
            }
        }
    }

    #[test]
    fn counters_that_are_not_needed() {
        for name in [
            "% Disk Time",
            "% Disk Read Time",
            "Avg. Disk Read Queue Length",
            "Avg. Disk Bytes/Read",
            "Split IO/Sec",
            "% Free Space",
            "Free Megabytes",
            "Mittlere Bytes/Lesevorgang",
            "Moyenne disque, octets/lecture",
            "E/S partagées/s",
            "Zeit (%)",
        ] {
            assert_eq!(Counter::of(name), None, "{name}");
        }
    }

    #[test]
    fn objects_of_disks() {
        for name in [
            "PhysicalDisk",
            "Physikalischer Datenträger",
            "Disque physique",
            "Disco físico",
            "物理ディスク",
        ] {
            assert_eq!(Object::of(name), Some(Object::Physical), "{name}");
        }
        for name in [
            "LogicalDisk",
            "Logischer Datenträger",
            "Disque logique",
            "Disco lógico",
            "論理ディスク",
        ] {
            assert_eq!(Object::of(name), Some(Object::Logical), "{name}");
        }
        for name in ["Processor", "Process", "FileSystem Disk Activity", "Memory"] {
            assert_eq!(Object::of(name), None, "{name}");
        }
    }
}
