// `lotline sources`: the sources of this installation.
import { Command } from 'commander'
import { sourceClassesCommand } from './source-classes.ts'

export const sourcesCommand = (): Command =>
  new Command('sources').description('Manage the sources that data is loaded from.').addCommand(sourceClassesCommand())
