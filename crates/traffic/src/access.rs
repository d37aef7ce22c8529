//! Access logs whose lines follow a format string: nginx, Apache, HAProxy, AWS ALB.
