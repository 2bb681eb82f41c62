// The vocabulary of watches.
export const watchKinds = ['listings', 'parcels', 'permits'] as const
export type WatchKind = (typeof watchKinds)[number]

export const watchTriggers = ['entered', 'left', 'price', 'status', 'score', 'permit'] as const
export type WatchTrigger = (typeof watchTriggers)[number]

export const watchCadences = ['instant', 'daily', 'weekly'] as const
export type WatchCadence = (typeof watchCadences)[number]

/** A permit has no price and no score. */
export const permitTriggers: readonly WatchTrigger[] = ['entered', 'left', 'status']

/** UTC: in the morning of the United States. */
export const announcedAtHour = 13
