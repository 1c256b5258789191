/** Parts of the frame that come after the first page. A chunk of their own names the chunks that each needs, so that the first page doesn't. */
import { loadChunk } from '../errors/load-chunk.ts';

export const loadDeferred = () => loadChunk('deferred-features', () => import('./deferred-features.tsx'));
export const loadShortcutSheet = () => loadChunk('shortcuts', () => import('./shortcut-sheet.tsx'));
export const loadEhrStrip = () => loadChunk('ehr', () => import('./ehr-strip.tsx'));
export const loadOfflineBar = () => import('./offline-bar.tsx').then((file) => file.OfflineBar);
export const loadPalette = () =>
  loadChunk('palette', () => import('./palette/palette.tsx')).then((file) => {
    file.preparePalette();
    return file.Palette;
  });
export const loadColorScheme = () => import('./color-scheme.tsx').then((file) => file.ColorSchemeMenu);
export const loadItems = () => import('./account-items.tsx').then((file) => file.AccountItems);
export const loadPreferences = () => import('../session/density-switch.ts');
export const loadRights = () => loadChunk('refresh-rights', () => import('../session/refresh-rights.ts'));
export const loadConfirmIdentity = () =>
  loadChunk('confirm-identity', () => import('./confirm-identity.tsx')).then((file) => file.ConfirmIdentity);
