// Imported first by every benchmark process: the markets come from packs.
import { useMarketPacks } from '../src/bin/use-market-packs.ts'

useMarketPacks()
