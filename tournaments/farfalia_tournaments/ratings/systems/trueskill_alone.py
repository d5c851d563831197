"""TrueSkill's update for players who all play alone, with plain numbers.

The package `trueskill` makes an object for every message of its factor graph: 1.4 ms for a table of five, in the event
loop of a server. This makes the same steps in the same order, so that the result is the same to the last bit, in a
tenth of the time. A test compares the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

#: As in the package: sweeps at most, and the change of a message that is small enough to stop.
_SWEEPS, _SMALL = 10, 0.0001

#: Precision and precision times mean: how messages and estimates are kept.
_Gaussian = tuple[float, float]
#: v or w of the paper, by the difference of two performances and the margin of a tie.
_Correction = Callable[[float, float], float]
_NOTHING = (0.0, 0.0)
#: The density of the normal distribution at 0, and the root of 2.
_DENSITY, _ROOT = 1 / math.sqrt(2 * math.pi), math.sqrt(2)


class Unlikely(ArithmeticError):
    """Raised for a result that the arithmetic cannot tell apart from an impossible one."""


@dataclass(frozen=True, slots=True)
class Model:
    """The parameters, and the package's functions for ties; `margin` is that of a tie between two players."""

    beta: float
    tau: float
    margin: float
    v_draw: _Correction
    w_draw: _Correction


def update(model: Model, players: Sequence[tuple[float, float]], tied: Sequence[bool]) -> list[tuple[float, float]]:
    """Return the new mu and sigma of players, best first; `tied` says of each but the last whether the next one has
    the same place.

    ArithmeticError or ValueError if the result is too unlikely.
    """
    skills = [_prior(model, mu, sigma) for mu, sigma in players]
    variance = model.beta**2
    performances = [_with_noise(skill, variance) for skill in skills]
    sides = [_inverted(performance) for performance in performances]
    # Each side's performance, and what the comparisons with the side before and with the one behind say of it.
    totals = list(sides)
    before, behind = [_NOTHING] * len(totals), [_NOTHING] * len(totals)
    # By pair of neighbours: the difference, what their performances say of it, and what the result says.
    pairs = len(totals) - 1
    differences, expected, observed = [_NOTHING] * pairs, [_NOTHING] * pairs, [_NOTHING] * pairs

    # These three are called dozens of times in each update. A function for each of their steps would cost more than the
    # step, so the steps are written out.

    def compare(pair: int) -> float:
        """Expect a difference from the performances, correct it by the result; return by how much it has changed."""
        (one_pi, one_tau), (told_pi, told_tau) = totals[pair], behind[pair]
        one_pi, one_tau = one_pi - told_pi, one_tau - told_tau
        (two_pi, two_tau), (told_pi, told_tau) = totals[pair + 1], before[pair + 1]
        two_pi, two_tau = two_pi - told_pi, two_tau - told_tau
        mean = 0 + one_tau / one_pi - two_tau / two_pi
        said_pi = 1.0 / (1 / one_pi + 1 / two_pi)
        said_tau = said_pi * mean
        (pi, tau), (old_pi, old_tau) = differences[pair], expected[pair]
        pi, tau = pi - old_pi + said_pi, tau - old_tau + said_tau
        expected[pair] = said_pi, said_tau
        seen_pi, seen_tau = observed[pair]
        new_pi, new_tau = differences[pair] = _corrected(model, pi - seen_pi, tau - seen_tau, tied[pair])
        observed[pair] = new_pi + seen_pi - pi, new_tau + seen_tau - tau
        return max(abs(tau - new_tau), math.sqrt(abs(pi - new_pi)))

    def tell_behind(pair: int) -> None:
        (one_pi, one_tau), (told_pi, told_tau) = totals[pair], behind[pair]
        one_pi, one_tau = one_pi - told_pi, one_tau - told_tau
        (pi, tau), (told_pi, told_tau) = differences[pair], expected[pair]
        pi, tau = pi - told_pi, tau - told_tau
        mean = 0 + one_tau / one_pi - tau / pi
        pi = 1.0 / (1 / one_pi + 1 / pi)
        tau = pi * mean
        (total_pi, total_tau), (old_pi, old_tau) = totals[pair + 1], before[pair + 1]
        totals[pair + 1] = total_pi - old_pi + pi, total_tau - old_tau + tau
        before[pair + 1] = pi, tau

    def tell_before(pair: int) -> None:
        (two_pi, two_tau), (told_pi, told_tau) = totals[pair + 1], before[pair + 1]
        two_pi, two_tau = two_pi - told_pi, two_tau - told_tau
        (pi, tau), (told_pi, told_tau) = differences[pair], expected[pair]
        pi, tau = pi - told_pi, tau - told_tau
        mean = 0 + tau / pi + two_tau / two_pi
        pi = 1.0 / (1 / pi + 1 / two_pi)
        tau = pi * mean
        (total_pi, total_tau), (old_pi, old_tau) = totals[pair], behind[pair]
        totals[pair] = total_pi - old_pi + pi, total_tau - old_tau + tau
        behind[pair] = pi, tau

    for _ in range(_SWEEPS):
        change = 0.0
        if pairs == 1:
            change = compare(0)
        for pair in range(pairs - 1):
            change = max(change, compare(pair))
            tell_behind(pair)
        for pair in range(pairs - 1, 0, -1):
            change = max(change, compare(pair))
            tell_before(pair)
        if change <= _SMALL:
            break
    tell_before(0)
    tell_behind(pairs - 1)
    return [
        _learned(skill, performance, _without(total, side), variance)
        for skill, performance, side, total in zip(skills, performances, sides, totals, strict=True)
    ]


def _prior(model: Model, mu: float, sigma: float) -> _Gaussian:
    pi, tau = _of_moments(mu, sigma)
    return _of_moments(_mean(pi, tau), math.sqrt(math.sqrt(1 / pi) ** 2 + model.tau**2))


def _of_moments(mu: float, sigma: float) -> _Gaussian:
    pi = sigma**-2
    return pi, pi * mu


def _mean(pi: float, tau: float) -> float:
    return pi and tau / pi


def _without(value: _Gaussian, message: _Gaussian) -> _Gaussian:
    return value[0] - message[0], value[1] - message[1]


def _replaced(value: _Gaussian, old: _Gaussian, new: _Gaussian) -> _Gaussian:
    return value[0] - old[0] + new[0], value[1] - old[1] + new[1]


def _with_noise(message: _Gaussian, variance: float) -> _Gaussian:
    pi, tau = message
    a = 1.0 / (1.0 + variance * pi)
    return a * pi, a * tau


def _inverted(message: _Gaussian) -> _Gaussian:
    """Return a message through a sum of one term, which changes nothing but the last bits."""
    pi, tau = message
    inverse = 1.0 / (1 / pi)
    return inverse, inverse * (0 + _mean(pi, tau))


def _corrected(model: Model, pi: float, tau: float, tied: bool) -> _Gaussian:
    """Return a difference as it is known once it has turned out to be above 0, or a tie."""
    root = math.sqrt(pi)
    mean, margin = tau / root, model.margin * root
    if tied:
        v, w = model.v_draw(mean, margin), model.w_draw(mean, margin)
    else:
        x = mean - margin
        below = _below(x)
        v = _DENSITY * math.exp(-(x**2 / 2)) / below if below else -x
        w = v * (v + x)
        if not 0 < w < 1:
            raise Unlikely
    rest = 1.0 - w
    return pi / rest, (tau + root * v) / rest


def _below(x: float) -> float:
    """Return the share of the normal distribution below x, as the package approximates it."""
    x = -x / _ROOT
    z = abs(x)
    t = 1.0 / (1.0 + z / 2.0)
    inner = 1.48851587 + t * (-0.82215223 + t * 0.17087277)
    inner = -0.18628806 + t * (0.27886807 + t * (-1.13520398 + t * inner))
    inner = 1.00002368 + t * (0.37409196 + t * (0.09678418 + t * inner))
    r = t * math.exp(-z * z - 1.26551223 + t * inner)
    return 0.5 * (2.0 - r if x < 0 else r)


def _learned(skill: _Gaussian, performance: _Gaussian, result: _Gaussian, variance: float) -> tuple[float, float]:
    """Return the skill with what the result says of the performance, as the package rounds it."""
    says = _inverted(result)
    through = _with_noise(_without(_replaced(performance, _NOTHING, says), performance), variance)
    pi, tau = skill[0] + through[0], skill[1] + through[1]
    pi, tau = _of_moments(_mean(pi, tau), math.sqrt(1 / pi))
    return _mean(pi, tau), math.sqrt(1 / pi)
