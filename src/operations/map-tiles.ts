// What map tiles show besides listings: outlines, streets, permits.
export { type Cell, outlinesIn, permitCells, permitsIn, streetsIn } from '../store/map/places.ts'
