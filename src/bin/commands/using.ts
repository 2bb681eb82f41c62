/** Opens what a command works with and closes it whatever happens. */
export const using = async <Opened extends { close(): Promise<void> }, Result>(
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
