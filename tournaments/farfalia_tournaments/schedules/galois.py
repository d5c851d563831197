"""Arithmetic in Galois fields GF(q), and in their products for numbers that are no power of a prime."""

from functools import cache
from itertools import product
from typing import Final

#: Fields that schedules calculate in element by element; here a formula is faster.
_PRIMES: Final = (2, 3, 5)


def plus(one: int, other: int, order: int) -> int:
    """Return the sum of two elements of GF(order)."""
    if order in _PRIMES:
        return (one + other) % order
    return _mixed(order, [_field_sum(a, b, field) for a, b, field in _parts(one, other, order)])


def times(one: int, other: int, order: int) -> int:
    """Return the product of two elements of GF(order)."""
    if order in _PRIMES:
        return one * other % order
    return _mixed(order, [_field_product(a, b, field) for a, b, field in _parts(one, other, order)])


def vectors(dimension: int, order: int) -> list[tuple[int, ...]]:
    """Return all vectors over GF(order) of that dimension, the origin first."""
    return list(product(range(order), repeat=dimension))


@cache
def fields(order: int) -> tuple[tuple[int, int], ...]:
    """Return the prime and the exponent of each field whose product has this many elements: 12 is GF(4) times GF(3)."""
    found, rest, prime = [], order, 2
    while rest > 1:
        exponent = 0
        while rest % prime == 0:
            rest, exponent = rest // prime, exponent + 1
        if exponent:
            found.append((prime, exponent))
        prime += 1
    return tuple(found)


def _parts(one: int, other: int, order: int) -> list[tuple[int, int, tuple[int, int]]]:
    """Return the components of two elements in each field."""
    parts = []
    for prime, exponent in fields(order):
        size = prime**exponent
        parts.append((one % size, other % size, (prime, exponent)))
        one, other = one // size, other // size
    return parts


def _mixed(order: int, components: list[int]) -> int:
    """Return the element with these components."""
    element, weight = 0, 1
    for component, (prime, exponent) in zip(components, fields(order), strict=True):
        element, weight = element + weight * component, weight * prime**exponent
    return element


def _field_sum(one: int, other: int, field: tuple[int, int]) -> int:
    prime, exponent = field
    added = zip(_digits(one, prime, exponent), _digits(other, prime, exponent), strict=True)
    return _element([(a + b) % prime for a, b in added], prime)


def _field_product(one: int, other: int, field: tuple[int, int]) -> int:
    prime, exponent = field
    multiplied = _multiplied(_digits(one, prime, exponent), _digits(other, prime, exponent), prime)
    modulus = _irreducible(prime, exponent)
    for degree in range(len(multiplied) - 1, exponent - 1, -1):
        factor = multiplied[degree]
        for power, coefficient in enumerate(modulus):
            place = degree - exponent + power
            multiplied[place] = (multiplied[place] - factor * coefficient) % prime
    return _element(multiplied[:exponent], prime)


@cache
def _irreducible(prime: int, degree: int) -> tuple[int, ...]:
    """Return the first polynomial with leading coefficient 1 that is no product, its constant term first."""
    products = {
        tuple(_multiplied([*one, 1], [*other, 1], prime))
        for low in range(1, degree // 2 + 1)
        for one in product(range(prime), repeat=low)
        for other in product(range(prime), repeat=degree - low)
    }
    candidates = ((*reversed(rest), 1) for rest in product(range(prime), repeat=degree))
    return next(candidate for candidate in candidates if candidate not in products)


def _multiplied(one: list[int], other: list[int], prime: int) -> list[int]:
    result = [0] * (len(one) + len(other) - 1)
    for power, a in enumerate(one):
        for further, b in enumerate(other):
            result[power + further] = (result[power + further] + a * b) % prime
    return result


def _digits(element: int, prime: int, exponent: int) -> list[int]:
    return [element // prime**power % prime for power in range(exponent)]


def _element(digits: list[int], prime: int) -> int:
    return sum(digit * prime**power for power, digit in enumerate(digits))
