import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { MANTINE } from './classes.ts';
import { type Color, joined, rem, type Space, space, styled } from './style.ts';

interface TextProps extends Omit<ComponentProps<'p'>, 'color' | 'style'> {
  size?: 'xs' | 'sm';
  c?: 'dimmed';
  fw?: number;
  mt?: Space;
  /** Within a line, rather than a paragraph. */
  span?: boolean;
}

const sizeOf = (size: string) => ({
  '--text-fz': `var(--mantine-font-size-${size})`,
  '--text-lh': `var(--mantine-line-height-${size})`,
});

export const Text = ({ size = 'sm', c, fw, mt, span, className, ...others }: TextProps) => {
  const Element = span ? 'span' : 'p';
  return (
    <Element
      {...others}
      className={joined(MANTINE.focus, className, MANTINE.text)}
      style={styled({
        ...sizeOf(size),
        marginTop: space(mt),
        color: c && `var(--mantine-color-${c})`,
        fontWeight: fw,
      })}
      data-size={size}
    />
  );
};

/** The heading of a page. */
export const Title = ({ children }: { children: ReactNode }) => (
  <h1
    className={MANTINE.title}
    style={styled({
      '--title-fw': 'var(--mantine-h1-font-weight)',
      '--title-lh': 'var(--mantine-h1-line-height)',
      '--title-fz': 'var(--mantine-h1-font-size)',
    })}
    data-order={1}
  >
    {children}
  </h1>
);

/** The attributes of a link that stands by itself. */
export const anchor = (mt: Space) => ({
  className: joined(MANTINE.focus, MANTINE.anchor),
  style: styled({ ...sizeOf('sm'), marginTop: space(mt) }),
  'data-size': 'sm',
  'data-target': '',
  'data-underline': 'hover',
});

interface BadgeProps {
  color: Color;
  icon: ReactNode;
  title?: string;
  style?: CSSProperties;
  /** Takes two lines where there is no room: it may neither be cut off nor cover what is beside it. */
  wrapped?: boolean;
  children: ReactNode;
}

/** A word with an icon on tinted ground. Shape and word carry it; color only supports them. */
export const Badge = ({ color, icon, title, style, wrapped, children }: BadgeProps) => {
  const { badge } = MANTINE;
  const light = `var(--mantine-color-${color}-light`;
  return (
    <span
      className={badge.root}
      title={title}
      style={styled({
        ...(wrapped && { height: 'auto', minHeight: 'var(--badge-height)', maxWidth: '100%' }),
        '--badge-radius': 'var(--mantine-radius-sm)',
        '--badge-bg': `${light})`,
        '--badge-color': `${light}-color)`,
        '--badge-bd': `${rem(1)} solid transparent`,
        fontWeight: 600,
        textTransform: 'none',
        ...(style as object),
      })}
      data-variant="light"
      data-with-left-section
    >
      <span className={badge.section} style={{ marginInlineEnd: 4 }} data-position="left">
        {icon}
      </span>
      <span
        className={badge.label}
        style={wrapped ? { whiteSpace: 'normal', overflow: 'visible', textAlign: 'left' } : undefined}
      >
        {children}
      </span>
    </span>
  );
};

/** Stands for text that is still loading. */
export const Skeleton = ({ h, w, mt }: { h: number; w: string; mt?: number }) => (
  <div
    className={MANTINE.skeleton}
    style={styled({ marginTop: space(mt), width: w, height: rem(h) })}
    data-visible
    data-animate
  />
);

/** For screen readers only. */
export const VisuallyHidden = ({ className, ...others }: ComponentProps<'span'>) => (
  <span {...others} className={joined(className, MANTINE.hidden)} />
);
