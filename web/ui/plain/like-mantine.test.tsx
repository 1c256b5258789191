import * as mantine from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { theme } from '../../theme.ts';
import { ActionIcon, Button, UnstyledButton } from './button.tsx';
import { anchor, Badge, Skeleton, Text, Title, VisuallyHidden } from './text.tsx';

afterEach(cleanup);

/** Returns what elements are and look like: names, attributes, classes and styles, each in alphabetical order. */
const look = (element: Element): unknown => ({
  name: element.tagName,
  attributes: [...element.attributes]
    .filter(({ name }) => name !== 'class' && name !== 'style')
    .map(({ name, value }) => `${name}=${value}`)
    .toSorted(),
  classes: [...element.classList].toSorted(),
  style: (element.getAttribute('style') ?? '')
    .split(';')
    .map((one) => one.trim())
    // Mantine moves its loaders in; the plain ones are there at once.
    .filter((one) => one && !/^(transition|transform|opacity|backface|-webkit-backface)/.test(one))
    .toSorted(),
  children: [...element.children].map(look),
  text: element.children.length === 0 ? element.textContent : '',
});

const shown = (node: ReactNode): unknown => {
  const { container } = render(
    <mantine.MantineProvider theme={theme} env="test">
      <div data-here>{node}</div>
    </mantine.MantineProvider>,
  );
  const found = [...(container.querySelector('[data-here]')?.children ?? [])].map(look);
  cleanup();
  return found;
};

const icon = <svg aria-hidden="true" />;
const WRAPPED = {
  root: { height: 'auto', minHeight: 'var(--badge-height)', maxWidth: '100%' },
  label: { whiteSpace: 'normal', overflow: 'visible', textAlign: 'left' },
} as const;

test.each<[string, ReactNode, ReactNode]>([
  ...(
    [
      {},
      { variant: 'default', size: 'xs', leftSection: icon, title: 'x' },
      { variant: 'default', size: 'compact-sm', rightSection: icon, className: 'mine' },
      { variant: 'default', size: 'compact-xs', disabled: true },
      { variant: 'default', mt: 'md', mr: 'md', loading: true },
      { variant: 'subtle', color: 'gray', size: 'xs', px: 'xs' },
      { variant: 'light', size: 'xs', 'aria-expanded': true },
    ] as const
  ).map((props): [string, ReactNode, ReactNode] => [
    `button ${JSON.stringify(Object.keys(props))}`,
    <Button key="plain" {...props}>
      Save
    </Button>,
    <mantine.Button key="mantine" {...props}>
      Save
    </mantine.Button>,
  ]),
  [
    'icon',
    <ActionIcon key="plain" aria-label="Close">
      {icon}
    </ActionIcon>,
    <mantine.ActionIcon key="mantine" aria-label="Close">
      {icon}
    </mantine.ActionIcon>,
  ],
  [
    'loading icon',
    <ActionIcon key="plain" aria-label="Close" loading>
      {icon}
    </ActionIcon>,
    <mantine.ActionIcon key="mantine" aria-label="Close" loading>
      {icon}
    </mantine.ActionIcon>,
  ],
  [
    'unstyled button',
    <UnstyledButton key="plain" className="mine" />,
    <mantine.UnstyledButton key="mantine" className="mine" />,
  ],
  [
    'badge',
    <Badge key="plain" color="caution" icon={icon} style={{ verticalAlign: 'middle' }} title="x">
      Late
    </Badge>,
    <mantine.Badge
      key="mantine"
      component="span"
      color="caution"
      leftSection={icon}
      style={{ verticalAlign: 'middle' }}
      title="x"
    >
      Late
    </mantine.Badge>,
  ],
  [
    'wrapped badge',
    <Badge key="plain" color="critical" icon={icon} wrapped>
      Late
    </Badge>,
    <mantine.Badge key="mantine" component="span" color="critical" leftSection={icon} styles={WRAPPED}>
      Late
    </mantine.Badge>,
  ],
  ...(
    [{ fw: 550 }, { c: 'dimmed', size: 'xs', mt: 'sm', className: 'tabular' }, { span: true, role: 'alert' }] as const
  ).map((props): [string, ReactNode, ReactNode] => [
    `text ${JSON.stringify(Object.keys(props))}`,
    <Text key="plain" {...props}>
      Words
    </Text>,
    <mantine.Text key="mantine" {...props}>
      Words
    </mantine.Text>,
  ]),
  [
    'title',
    <Title key="plain">Words</Title>,
    <mantine.Title key="mantine" order={1}>
      Words
    </mantine.Title>,
  ],
  [
    'link',
    <a key="plain" href="/" {...anchor('md')}>
      Home
    </a>,
    <mantine.Anchor key="mantine" href="/" mt="md" data-target="">
      Home
    </mantine.Anchor>,
  ],
  [
    'skeleton',
    <Skeleton key="plain" h={12} w="46%" mt={10} />,
    <mantine.Skeleton key="mantine" h={12} w="46%" mt={10} />,
  ],
  [
    'hidden',
    <VisuallyHidden key="plain" role="status" aria-live="polite" />,
    <mantine.VisuallyHidden key="mantine" role="status" aria-live="polite" />,
  ],
])('a plain component is the same as Mantine’s: %s', (_name, plain, ofMantine) => {
  expect(shown(plain)).toEqual(shown(ofMantine));
});
