/* PRESENT-80 as libraries have it: round keys first, and then blocks from one place to another. */

#pragma once
#include <stdint.h>
struct cipher { uint8_t round[32][8]; };
void cipher_init(struct cipher *keys, const uint8_t *key);
void cipher_encrypt(const struct cipher *keys, const uint8_t *in, uint8_t *out);
