"""Azul: Summer Pavilion, for learners."""

from pettingzoo import register

from azul_env.rules import AzulRules

register("aec", "azul_v0", "azul_env.azul_v0:env")

__all__ = ["AzulRules"]
