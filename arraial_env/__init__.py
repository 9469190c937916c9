"""Arraial, for learners."""

from pettingzoo import register

from arraial_env.rules import ArraialRules

register("aec", "arraial_v0", "arraial_env.arraial_v0:env")

__all__ = ["ArraialRules"]
