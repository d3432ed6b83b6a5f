from neomem.service.door import Bucket


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_is_let_through_and_then_the_rate():
    clock = Clock()
    bucket = Bucket(10, clock)

    first = [bucket.take() for _ in range(21)]
    clock.now += 0.15
    later = [bucket.take(), bucket.take()]
    clock.now += 3600
    rested = [bucket.take() for _ in range(21)]

    assert first[:20] == [0.0] * 20
    assert 0 < first[20] <= 0.1
    assert later[0] == 0.0
    assert later[1] > 0
    assert rested[:20] == [0.0] * 20
    assert rested[20] > 0


def test_a_slow_rate_says_how_long_to_wait():
    bucket = Bucket(0.5, Clock())

    assert bucket.take() == 0.0
    assert bucket.take() == 2.0
