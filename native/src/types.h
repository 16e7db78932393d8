/*
 * types.h - names of what one floor keeps for another without looking inside: a pointer needs no include upwards.
 */
#ifndef LACUNA_TYPES_H
#define LACUNA_TYPES_H

typedef struct telemetry telemetry; /* telemetry/telemetry.h */
typedef struct device device;       /* device/device.h */
typedef struct swap swap;           /* swap/swap.h */
typedef struct guard guard;         /* guard/guard.h */
typedef struct mindspeed mindspeed; /* pool/mindspeed.h */

#endif
