# Print a table for tests/unit/statistics/test_mann_whitney.c: p of wilcox.test, the values of both sets. With files as
# arguments: print p again of the sets that stand in such a table.
line <- function(p, a, b) cat(sprintf("%.17g", p), sprintf("%.17g", a), "|", sprintf("%.17g", b), sep = "\t", fill = FALSE)
p.of <- function(a, b) {
  p <- suppressWarnings(wilcox.test(a, b)$p.value)
  if (is.nan(p)) 1 else p
}
args <- commandArgs(trailingOnly = TRUE)
if (length(args) > 0) {
  for (text in readLines(args[1])) {
    if (startsWith(text, "#")) next
    words <- strsplit(text, "\t")[[1]][-1]
    bar <- which(words == "|")
    a <- as.numeric(words[seq_len(bar - 1)])
    b <- as.numeric(words[(bar + 1):length(words)])
    cat(sprintf("%.17g\n", p.of(a, b)))
  }
} else {
  set.seed(26)
  cat("# p of R's wilcox.test (two-sided), the first set, the second; made by tests/tools/wilcoxon.R\n")
  for (i in 1:60) {
    m <- sample(c(3:12, 20, 49, 50, 60), 1)
    n <- sample(c(3:12, 20, 49, 50, 60), 1)
    shift <- sample(c(0, 0.3, 1), 1)
    a <- round(rnorm(m), 6)
    b <- round(rnorm(n) + shift, 6)
    if (i %% 2 == 0) {
      a <- round(2 * a)
      b <- round(2 * b)
    }
    line(p.of(a, b), a, b)
    cat("\n")
  }
}
