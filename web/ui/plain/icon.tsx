import type { SVGProps } from 'react';

interface Props extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** In px. */
  size?: number;
  /** The width of the lines, in units of a drawing of 24 by 24. */
  stroke?: number;
}

const BOX = { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 24 24' };

/** An icon made of lines. */
export const outline =
  (path: string) =>
  ({ size = 24, stroke = 2, ...props }: Props) => (
    <svg
      {...BOX}
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
    >
      <path d={path} />
    </svg>
  );

/** An icon made of areas. */
export const filled =
  (path: string) =>
  ({ size = 24, stroke: _, ...props }: Props) => (
    <svg {...BOX} width={size} height={size} fill="currentColor" {...props}>
      <path d={path} />
    </svg>
  );
