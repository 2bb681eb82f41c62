// Every test file sees the packs of the program, as every process does. They are read once, in once.ts.
import { inject } from 'vitest'
import { usePacks } from '../../src/domain/packs/use-packs.ts'

usePacks(inject('packs'))
