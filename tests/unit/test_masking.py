import pytest

from neomem.capture.guard import compile_extra
from neomem.capture.masking import mask_lines, plain_lines

KEY = "\n".join(
    [
        "-----BEGIN RSA PRIVATE KEY-----",
        *(
            f"MIIEow{n:02}BAAKCAQEA7b2Jx0c9dTq1vZ8kLrYt5wXeQmNpUo3sHfGaJcRiVbEyKd"
            for n in range(20)
        ),
        "-----END RSA PRIVATE KEY-----",
    ]
)
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_lines_after_a_secret_keep_their_numbers():
    text = f"# Keys\n\n{KEY}\n\nThe last line.\n"

    masked = mask_lines(text)

    assert "MIIE" not in masked
    assert "[secret removed: " in masked
    assert masked.split("\n").index("The last line.") == text.split("\n").index("The last line.")
    assert masked.count("\n") == text.count("\n")


def test_a_text_without_secrets_stays_as_it_is():
    assert mask_lines("# Notes\n\nNothing here.\n") == "# Notes\n\nNothing here.\n"


@pytest.mark.parametrize("place", range(199_990, 200_012, 3))
def test_a_secret_where_two_stretches_meet_is_seen_whole(place):
    text = ("word " * 60_000)[:place] + f" {TOKEN} " + "word " * 10

    masked = mask_lines(text)

    assert TOKEN[4:12] not in masked
    assert TOKEN[-8:] not in masked


def test_patterns_of_ones_own_are_masked_across_lines():
    pattern = compile_extra("badge", r"BADGE\n\d{6}")

    assert mask_lines("a\nBADGE\n123456\nb", [pattern]) == "a\n[secret removed: badge]\n\nb"


def test_lines_end_in_one_way_only():
    assert plain_lines("\ufeffa\r\nb\rc\n") == "a\nb\nc\n"
