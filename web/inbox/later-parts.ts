/** Parts of the inbox that come after its rows. A chunk of their own names the chunks that each needs, so that the first page doesn't. */
import { loadChunk } from '../errors/load-chunk.ts';

export const loadPanel = () => import('../filters/filter-side.tsx').then((file) => file.FilterSide);
export const loadTools = () => import('../saved-filters/saved-filter-tools.tsx').then((file) => file.SavedFilterTools);
export const loadPrint = () => import('../lists/print/print-head.tsx');
export const loadListTools = () => import('./list-tools.tsx');
export const loadBulkBar = () => import('./bulk-bar.tsx').then((file) => file.BulkBar);
export const loadDetail = () => import('./ping-detail.tsx').then((file) => file.PingDetail);
export const loadChips = () => import('../filters/filter-chips.tsx').then((file) => file.FilterChips);
export const loadPrintButton = () =>
  loadChunk('print-button', () => import('../lists/print/print-button.tsx')).then((file) => file.PrintButton);
export const loadExportButton = () =>
  loadChunk('export-button', () => import('../exports/export-button.tsx')).then((file) => file.ExportButton);
export const loadWorkPhrase = () => import('./work-phrase.ts').then((file) => file.workPhrase);
export const loadEmptyList = () => import('./empty-list.tsx').then((file) => file.EmptyList);
