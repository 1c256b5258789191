/**
 * The class names of Mantine's styles, which the plain components share, so that both look the same. `like-mantine.test.tsx` fails if an
 * upgrade changes one.
 */
const FOCUS = 'mantine-focus-auto';
const UNSTYLED = 'm_87cf2631 mantine-UnstyledButton-root';
const text = 'm_b6d8b162 mantine-Text-root';

export const MANTINE = {
  focus: FOCUS,
  /** Moves a button down by a pixel while it is pressed. */
  active: 'mantine-active',
  unstyled: UNSTYLED,
  button: {
    root: `m_77c9d27d mantine-Button-root ${UNSTYLED}`,
    loader: 'm_a25b86ee mantine-Button-loader',
    inner: 'm_80f1301b mantine-Button-inner',
    section: 'm_a74036a mantine-Button-section',
    label: 'm_811560b9 mantine-Button-label',
  },
  actionIcon: {
    root: `m_8d3f4000 mantine-ActionIcon-root ${UNSTYLED}`,
    loader: 'm_302b9fb1 mantine-ActionIcon-loader',
    icon: 'm_8d3afb97 mantine-ActionIcon-icon',
  },
  loader: 'm_b34414df m_5ae2e3c mantine-Loader-root',
  badge: {
    root: 'm_347db0ec mantine-Badge-root',
    section: 'm_91fdda9b mantine-Badge-section',
    label: 'm_5add502a mantine-Badge-label',
  },
  text,
  anchor: `m_849cf0da ${text} mantine-Anchor-root`,
  title: 'm_8a5d1357 mantine-Title-root',
  skeleton: 'm_18320242 mantine-Skeleton-root',
  hidden: 'm_515a97f8 mantine-VisuallyHidden-root',
} as const;
