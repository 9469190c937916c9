"""Arraial, for learners."""

import gymnasium
import pettingzoo

from arraial_env.rules import ArraialRules

pettingzoo.register("aec", "arraial_v0", "arraial_env.arraial_v0:env")
gymnasium.register(
    "Arraial-v0", "arraial_env.arraial_v0:single_env", vector_entry_point="arraial_env.arraial_v0:vector_env"
)

__all__ = ["ArraialRules"]
