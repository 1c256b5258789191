import type { ComponentProps, ReactNode } from 'react';
import { MANTINE } from './classes.ts';
import { type Color, joined, rem, type Space, type Style, space, styled } from './style.ts';

type Variant = 'filled' | 'default' | 'light' | 'subtle';
type NativeButton = Omit<ComponentProps<'button'>, 'color' | 'style'>;

interface ButtonProps extends NativeButton {
  variant?: Variant;
  color?: Color;
  size?: 'xs' | 'sm' | 'compact-xs' | 'compact-sm';
  leftSection?: ReactNode;
  rightSection?: ReactNode;
  loading?: boolean;
  mt?: Space;
  mr?: Space;
  px?: Space;
}

const colorsOf = (variant: Variant, color: Color): Style => {
  const border = `${rem(1)} solid `;
  if (variant === 'filled') return { color: 'var(--mantine-color-white)' };
  if (variant === 'default')
    return {
      bg: 'var(--mantine-color-default)',
      hover: 'var(--mantine-color-default-hover)',
      color: 'var(--mantine-color-default-color)',
      bd: `${border}var(--mantine-color-default-border)`,
    };
  const light = `var(--mantine-color-${color}-light`;
  return {
    bg: variant === 'light' ? `${light})` : 'transparent',
    hover: `${light}-hover)`,
    color: `${light}-color)`,
    bd: `${border}transparent`,
  };
};

/** Returns the variables of a component, such as `--button-bg`. */
const variables = (component: string, style: Style): Style =>
  Object.fromEntries(Object.entries(style).map(([name, value]) => [`--${component}-${name}`, value]));

const Loader = ({ className, size, color }: { className: string; size: string; color: string }) => (
  <span className={className} aria-hidden>
    <span className={MANTINE.loader} style={styled({ '--loader-size': size, '--loader-color': color })} />
  </span>
);

/** A button with words. */
export const Button = ({
  variant = 'filled',
  color = 'marine',
  size = 'sm',
  leftSection,
  rightSection,
  loading,
  mt,
  mr,
  px,
  className,
  disabled,
  children,
  ...others
}: ButtonProps) => {
  const { button } = MANTINE;
  const { color: text, ...ground } = colorsOf(variant, color);
  return (
    <button
      type="button"
      {...others}
      className={joined(MANTINE.focus, !disabled && !loading && MANTINE.active, className, button.root)}
      style={styled({
        ...variables('button', {
          height: `var(--button-height-${size})`,
          'padding-x': `var(--button-padding-x-${size})`,
          fz: `var(--mantine-font-size-${size.replace('compact-', '')})`,
          ...ground,
          color: text,
        }),
        marginTop: space(mt),
        marginRight: space(mr),
        paddingInline: space(px),
      })}
      data-variant={variant === 'filled' ? undefined : variant}
      data-size={size}
      data-disabled={disabled || undefined}
      data-loading={loading || undefined}
      data-with-left-section={leftSection ? true : undefined}
      data-with-right-section={rightSection ? true : undefined}
      disabled={disabled || loading}
    >
      {loading && (
        <Loader className={button.loader} size="calc(var(--button-height) / 1.8)" color="var(--button-color)" />
      )}
      <span className={button.inner}>
        {leftSection && (
          <span className={button.section} data-position="left">
            {leftSection}
          </span>
        )}
        <span className={button.label} data-loading={loading || undefined}>
          {children}
        </span>
        {rightSection && (
          <span className={button.section} data-position="right">
            {rightSection}
          </span>
        )}
      </span>
    </button>
  );
};

/** A gray button with an icon, which needs an `aria-label`. */
export const ActionIcon = ({
  loading,
  className,
  disabled,
  children,
  ...others
}: NativeButton & { loading?: boolean }) => {
  const { actionIcon } = MANTINE;
  const { color, ...ground } = colorsOf('subtle', 'gray');
  return (
    <button
      type="button"
      {...others}
      className={joined(MANTINE.focus, !disabled && !loading && MANTINE.active, className, actionIcon.root)}
      style={styled(variables('ai', { size: rem(32), ...ground, color }))}
      data-variant="subtle"
      data-disabled={disabled || undefined}
      data-loading={loading || undefined}
      aria-busy={loading || undefined}
      disabled={disabled || loading}
    >
      {loading && <Loader className={actionIcon.loader} size="calc(var(--ai-size) * 0.55)" color="var(--ai-color)" />}
      <span className={actionIcon.icon} data-loading={loading || undefined}>
        {children}
      </span>
    </button>
  );
};

/** A button without a look of its own. */
export const UnstyledButton = ({ className, ...others }: NativeButton) => (
  <button type="button" {...others} className={joined(MANTINE.focus, className, MANTINE.unstyled)} />
);
