import pytest

from neomem.service.metrics import Latency, Metrics


def test_percentiles_are_of_the_last_ones_and_sums_of_all():
    latency = Latency()
    for number in range(1, 5001):
        latency.add(number)

    assert latency.count == 5000
    assert latency.seconds == 5000 * 5001 / 2
    assert latency.quantile(0.5) == pytest.approx(5000 - 1024, abs=2)
    assert latency.quantile(0.99) == pytest.approx(5000 - 20, abs=2)
    assert Latency().quantile(0.5) == 0


def test_figures_are_lines_prometheus_reads():
    metrics = Metrics()
    metrics.request("recall", 200, 0.25)
    metrics.request('a "b"\\', 500, 0.5)
    metrics.answered({"bm25": "did not answer in 2 s"})
    metrics.stored({"stored": 3})
    metrics.gauge("requests_inside", lambda: 7)

    lines = metrics.prometheus().splitlines()

    assert 'neomem_requests_total{operation="recall",status="200"} 1' in lines
    assert 'neomem_requests_total{operation="a \\"b\\"\\\\",status="500"} 1' in lines
    assert 'neomem_signal_failures_total{signal="bm25"} 1' in lines
    assert 'neomem_captured_total{outcome="stored"} 3' in lines
    assert 'neomem_request_seconds{operation="recall",quantile="0.95"} 0.25' in lines
    assert 'neomem_request_seconds_count{operation="recall"} 1' in lines
    assert "neomem_requests_inside 7" in lines
    assert lines.index("# TYPE neomem_requests_total counter") < lines.index(
        'neomem_requests_total{operation="recall",status="200"} 1'
    )
