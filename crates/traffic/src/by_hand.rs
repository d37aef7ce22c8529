//! Workloads that a person writes by hand.
