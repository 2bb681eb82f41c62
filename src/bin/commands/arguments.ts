// Arguments and options that several commands parse, and how they print.
import { type Command, InvalidArgumentError } from 'commander'
import { colored } from '../text-table.ts'

export const print = (text: string) => void process.stdout.write(`${text}\n`)

export interface Printed {
  /** With --json. */
  json: unknown
  /** Without it, each a line. */
  text: string | readonly string[]
  /** For people, not for pipes: on standard error. */
  note?: string
}

/** A command that prints what it did, with --json as its last option. Its options and arguments are those of `run`. */
export const printing = <Arguments extends readonly unknown[]>(
  command: Command,
  run: (...given: Arguments) => Printed | Promise<Printed>,
  { say = print, about = 'print JSON' }: { say?: (line: string) => void; about?: string } = {},
): Command =>
  command.option('--json', about).action(async (...given: unknown[]) => {
    const { json } = given.at(-2) as { json?: boolean }
    const printed = await run(...(given as unknown as Arguments))
    for (const line of json ? [JSON.stringify(printed.json)] : [printed.text].flat()) say(line)
    if (printed.note && !json) process.stderr.write(`${colored(printed.note, 'dim', process.stderr)}\n`)
  })

/** The function that adds commands to a command. `shaped` adds their arguments and options. */
export const subcommands =
  (parent: Command, options?: Parameters<typeof printing>[2]) =>
  <Arguments extends readonly unknown[]>(
    name: string,
    description: string,
    run: (...given: Arguments) => Printed | Promise<Printed>,
    shaped: (command: Command) => Command = (command) => command,
  ) =>
    printing(shaped(parent.command(name).description(description)), run, options)

/** Parses a whole number of at least `least`. `message`: what is accepted. */
export const wholeNumber =
  (message: string, least = 1, most = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    const number = Number(text)
    if (!Number.isInteger(number) || number < least || number > most) throw new InvalidArgumentError(message)
    return number
  }
