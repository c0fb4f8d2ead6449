//! Whether the workloads are what they say.

mod rectangles;
