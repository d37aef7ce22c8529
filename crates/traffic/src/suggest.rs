//! What servers have to log for a workload to be complete.
