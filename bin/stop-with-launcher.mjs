// Stops this process when the launcher that started it is gone. A killed launcher cannot pass its signal on, and without this the
// service would keep its port and database while the supervisor starts another.

export const stopWithLauncher = () => {
  if (!process.channel) return
  process.channel.unref()
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
