/** The design's tokens (docs/ux.md). Types only from Mantine: the build turns this into styles, and the pages load it with Mantine's code. */
import type { CSSVariablesResolver, MantineColorsTuple, MantineThemeOverride } from '@mantine/core';
import { rem } from './ui/plain/style.ts';

const t = (s: string) => s.split(' ') as unknown as MantineColorsTuple;
export const marine = t('#f2f9fe #dff1fd #c4e2f9 #a1cff3 #76b7ea #4a97d4 #2276b5 #13629d #114e80 #0f3a61');
export const critical = t('#fff5f4 #fee8e6 #fed1cc #feb2ab #ff887e #ee554e #cc2728 #b10e16 #90090d #6c0808');
export const caution = t('#fdf7ee #f9ecda #f2d9bb #e9c193 #dda261 #c57f2c #a25e05 #8a4d04 #723c00 #572a00');
export const positive = t('#f2faf4 #e1f3e7 #c7e7d1 #a5d7b5 #7ac394 #4ca670 #1d864f #01713f #005b32 #024424');
export const held = t('#f9f6fe #f2e9fe #e6d5fc #d6bbf7 #c29bef #a677d8 #8654b8 #72439f #5c3582 #452761');
export const slate = t('#f7f8f9 #eceef1 #d9dee2 #c3cad1 #a7b1bb #87929d #68727e #565f6a #454d55 #32393f');
export const ink = t('#e2e9f0 #c5cbd2 #a4aab1 #7b8187 #4e5359 #353a3f #262b30 #181c21 #101419 #080d11');
const font =
  '"Atkinson Hyperlegible Next Variable", "Segoe UI", system-ui, -apple-system, "Helvetica Neue", Arial, sans-serif';
const dialogTitle = { fontSize: rem(18), fontWeight: 650, lineHeight: 1.33, overflowWrap: 'anywhere' } as const;
export const theme: MantineThemeOverride = {
  primaryColor: 'marine',
  primaryShade: { light: 7, dark: 6 },
  black: '#1b2127',
  white: '#ffffff',
  colors: {
    marine,
    critical,
    caution,
    positive,
    held,
    gray: slate,
    slate,
    dark: ink,
    blue: marine,
    red: critical,
    yellow: caution,
    orange: caution,
    green: positive,
    teal: positive,
    violet: held,
  },
  autoContrast: false,
  respectReducedMotion: true,
  focusRing: 'auto',
  cursorType: 'pointer',
  fontFamily: font,
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Consolas, Menlo, monospace',
  fontSizes: { xs: rem(12), sm: rem(14), md: rem(16), lg: rem(18), xl: rem(20) },
  lineHeights: { xs: '1.33', sm: '1.43', md: '1.5', lg: '1.45', xl: '1.4' },
  fontWeights: { regular: '400', medium: '550', bold: '680' },
  headings: {
    fontFamily: font,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: rem(22), lineHeight: '1.27' },
      h2: { fontSize: rem(18), lineHeight: '1.33' },
      h3: { fontSize: rem(16), lineHeight: '1.38' },
      h4: { fontSize: rem(14), lineHeight: '1.43' },
      h5: { fontSize: rem(14), lineHeight: '1.43' },
      h6: { fontSize: rem(12), lineHeight: '1.33' },
    },
  },
  spacing: { xs: rem(4), sm: rem(8), md: rem(12), lg: rem(16), xl: rem(24) },
  radius: { xs: rem(2), sm: rem(4), md: rem(6), lg: rem(8), xl: rem(16) },
  defaultRadius: 'sm',
  shadows: {
    xs: 'none',
    sm: '0 1px 2px rgba(15,30,45,.08)',
    md: '0 4px 12px rgba(15,30,45,.14)',
    lg: '0 8px 24px rgba(15,30,45,.18)',
    xl: '0 16px 40px rgba(15,30,45,.22)',
  },
  components: {
    Text: { defaultProps: { size: 'sm' } },
    Anchor: { defaultProps: { size: 'sm' } },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 },
      styles: { section: { marginInlineEnd: 4 } },
    },
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
    TextInput: { defaultProps: { size: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm', stickyHeader: true } },
    Alert: { defaultProps: { variant: 'light', radius: 'sm' } },
    Paper: { defaultProps: { shadow: 'none', withBorder: true } },
    // Their header must not count as another banner landmark.
    Modal: {
      defaultProps: { radius: 'md', shadow: 'lg', attributes: { header: { role: 'presentation' } } },
      styles: { title: dialogTitle },
    },
    Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } }, styles: { title: dialogTitle } },
  },
};
export const resolver: CSSVariablesResolver = () => ({
  variables: { '--row-h': '56px', '--input-height-sm': '34px' },
  light: {
    '--mantine-color-dimmed': slate[7],
    '--mantine-color-placeholder': slate[6],
    '--mantine-color-error': critical[7],
    '--mantine-color-default-border': slate[3],
    '--ui-canvas': slate[0],
    '--ui-surface': '#ffffff',
    '--ui-control-border': slate[5],
    '--ui-banner-bg': '#e9f1f7',
    '--ui-banner-edge': marine[7],
    '--ui-row-selected': marine[0],
    '--ui-unread': marine[7],
    '--ui-deceased-bg': slate[2],
    '--chart-1': '#13629d',
    '--chart-2': '#ca7c33',
    '--chart-3': '#0a98b9',
    '--chart-4': '#5b284c',
    '--chart-5': '#a33702',
    '--chart-other': slate[6],
  },
  dark: {
    '--mantine-color-marine-light': '#163955',
    '--mantine-color-marine-light-hover': '#154265',
    '--mantine-color-critical-light': '#58161c',
    '--mantine-color-critical-light-hover': '#6c141b',
    '--mantine-color-caution-light': '#483115',
    '--mantine-color-caution-light-hover': '#573711',
    '--mantine-color-positive-light': '#0e402e',
    '--mantine-color-positive-light-hover': '#0b4b32',
    '--mantine-color-held-light': '#3e2c56',
    '--mantine-color-held-light-hover': '#4a3166',
    '--mantine-color-gray-light': '#353a3f',
    '--mantine-color-gray-light-hover': '#4e5359',
    '--mantine-color-slate-light': '#353a3f',
    '--mantine-color-slate-light-hover': '#4e5359',
    '--mantine-color-dimmed': ink[2],
    '--mantine-color-placeholder': ink[2],
    '--mantine-color-error': critical[4],
    '--mantine-color-default-border': ink[4],
    '--ui-canvas': ink[8],
    '--ui-surface': ink[7],
    '--ui-control-border': ink[3],
    '--ui-banner-bg': '#1b2a38',
    '--ui-banner-edge': marine[4],
    '--ui-row-selected': '#17293a',
    '--ui-unread': marine[4],
    '--ui-deceased-bg': ink[5],
    '--chart-1': '#3ba6f5',
    '--chart-2': '#e79c27',
    '--chart-3': '#017d9f',
    '--chart-4': '#ffccf2',
    '--chart-5': '#c85b32',
    '--chart-other': ink[3],
  },
});
