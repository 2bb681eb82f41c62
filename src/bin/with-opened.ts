/** Opens a resource, runs the work with it, and closes it in every case. */
export const withOpened = async <Opened extends { close(): Promise<void> }, Result>(
  open: () => Promise<Opened>,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> => {
  const opened = await open()
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}
