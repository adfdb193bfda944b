//! The wire format of Azure Resource Manager, read with tolerance: what lies in files that people saved and in the
//! bodies of live answers.
//!
//! [`walk`] finds the resources in a document of any arrangement, [`shape`] says how they look out there, [`loose`]
//! and [`list`] read their values whatever their JSON type, and [`kind`] says what an object is. Turning them into facts is the
//! work of [`crate::azure::facts`].

pub mod files;
mod garbled;
pub mod kind;
pub mod list;
pub mod loose;
pub mod places;
pub mod read;
pub mod shape;
mod table;
mod text;
pub mod walk;
