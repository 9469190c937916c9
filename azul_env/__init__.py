"""Azul: Summer Pavilion, for learners."""

import gymnasium
import pettingzoo

from azul_env.rules import AzulRules

pettingzoo.register("aec", "azul_v0", "azul_env.azul_v0:env")
gymnasium.register(
    "AzulSummerPavilion-v0", "azul_env.azul_v0:single_env", vector_entry_point="azul_env.azul_v0:vector_env"
)

__all__ = ["AzulRules"]
