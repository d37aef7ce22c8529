//! A workload as loads that a client can offer.
