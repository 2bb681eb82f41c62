// Arguments and options that several commands parse, and how they print.
import { InvalidArgumentError } from 'commander'

export const print = (text: string) => void process.stdout.write(`${text}\n`)

/** Parses a whole number of at least `least`. `message`: what is accepted. */
export const wholeNumber =
  (message: string, least = 1, most = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    const number = Number(text)
    if (!Number.isInteger(number) || number < least || number > most) throw new InvalidArgumentError(message)
    return number
  }
