import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { EChartsCoreOption } from "echarts";
import { textWidth } from "./textWidth.js";

/** A chart as the library takes it, and its size in pixels. */
export interface Chart {
  readonly option: EChartsCoreOption;
  readonly width: number;
  readonly height: number;
}

/** Draws a chart as SVG, without a browser. The same chart gives the same text. */
export async function renderChart({ option, width, height }: Chart): Promise<string> {
  const echarts = await import("echarts");
  echarts.setPlatformAPI({
    measureText: (text, font) => ({ width: textWidth(text, font ?? "") }) as never,
  });
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption({
      animation: false,
      backgroundColor: "#ffffff",
      textStyle: { fontFamily: `${FONT}, Liberation Sans, Arial, sans-serif` },
      ...option,
    });
    return renumbered(chart.renderToSVGString());
  } finally {
    chart.dispose();
  }
}

/** The library counts the names of styles and clips through all charts of a process: here from 0 in each. */
function renumbered(svg: string): string {
  const names = new Map<string, string>();
  return svg.replaceAll(/\bzr\d+-(?:cls-|[a-z])\d+/g, (name) => {
    const own = names.get(name) ?? `zr-${names.size}`;
    names.set(name, own);
    return own;
  });
}

/**
 * Draws an SVG as PNG, with a font that ships with the package.
 * @param scale pixels per pixel of the SVG
 */
export async function renderPng(svg: string, scale = 2): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js");
  const fonts = join(dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")), "ttf");
  const drawn = new Resvg(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: {
      fontFiles: ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map((file) => join(fonts, file)),
      defaultFontFamily: FONT,
      loadSystemFonts: false,
    },
  });
  return drawn.render().asPng();
}

const FONT = "DejaVu Sans";
