// The numbers of all fixed advisory locks in one place, so that no number is used twice. Locks of a source or a market are named by
// a hash of their text instead.
export const advisoryLocks = {
  migrating: 7_105_461,
  servingApi: 7_105_462,
  eventPositions: 7_105_463,
  sampleData: 7_105_464,
  signInLinks: 7_105_465,
  mailboxes: 7_105_466,
  matching: 7_105_467,
} as const
