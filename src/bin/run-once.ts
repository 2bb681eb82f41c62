/** Runs the work on the first call; every call returns the same promise. */
export const runOnce = (work: () => Promise<void>) => {
  let running: Promise<void> | undefined
  return () => {
    running ??= work()
    return running
  }
}
