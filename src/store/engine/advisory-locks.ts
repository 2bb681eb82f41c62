// Every fixed advisory lock has its number here, so that no two mean the same by accident.
export const advisoryLocks = {
  migrating: 7_105_461,
  servingApi: 7_105_462,
  placingEvents: 7_105_463,
} as const
