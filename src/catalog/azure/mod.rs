//! Azure's rules: tiers, provisioned families, bursting, caching.
