import type { TensorKernels } from "../kernels/tensorKernels.js";
import { tf } from "../tensorflow.js";
import type { Attributes } from "./repair.js";

/** Bytes of the spare tile at the start of a convolution's scratch. */
export const SPARE_BYTES = 128;

/** Sizes of a two-dimensional convolution of [n, h, w, c] with a filter [kh, kw, c, o]. */
export interface ConvolutionPlan {
  readonly n: number;
  readonly h: number;
  readonly w: number;
  readonly c: number;
  readonly kh: number;
  readonly kw: number;
  readonly o: number;
  readonly outH: number;
  readonly outW: number;
  readonly outShape: readonly number[];
  readonly strideH: number;
  readonly strideW: number;
  readonly dilationH: number;
  readonly dilationW: number;
  readonly top: number;
  readonly left: number;
  /** Bytes of one image. */
  readonly imageBytes: number;
  /** The part of the padded plane that windows reach; the image's own plane when nothing is padded. */
  readonly paddedH: number;
  readonly paddedW: number;
  /** Bytes of the padded image; 0 when nothing is padded. */
  readonly paddedBytes: number;
}

/** @throws Error for a data format other than NHWC, as the stock back end does */
export function planConvolution(
  xShape: readonly number[],
  filterShape: readonly number[],
  { strides, dilations, pad, dimRoundingMode, dataFormat }: Attributes,
): ConvolutionPlan {
  if (dataFormat !== undefined && dataFormat !== "NHWC") {
    throw new Error(`Convolutions take the data format NHWC on the wasm back end, got ${dataFormat}.`);
  }
  type Arguments = Parameters<typeof tf.backend_util.computeConv2DInfo>;
  const info = tf.backend_util.computeConv2DInfo(
    xShape as Arguments[0],
    filterShape as Arguments[1],
    strides as Arguments[2],
    (dilations ?? 1) as Arguments[3],
    pad as Arguments[4],
    dimRoundingMode as Arguments[5],
  );
  const { inHeight: h, inWidth: w, inChannels: c, padInfo } = info;
  const reachH = (info.outHeight - 1) * info.strideHeight + info.effectiveFilterHeight;
  const reachW = (info.outWidth - 1) * info.strideWidth + info.effectiveFilterWidth;
  const within = padInfo.top === 0 && padInfo.left === 0 && reachH <= h && reachW <= w;
  return {
    n: info.batchSize,
    h,
    w,
    c,
    kh: info.filterHeight,
    kw: info.filterWidth,
    o: info.outChannels,
    outH: info.outHeight,
    outW: info.outWidth,
    outShape: info.outShape,
    strideH: info.strideHeight,
    strideW: info.strideWidth,
    dilationH: info.dilationHeight,
    dilationW: info.dilationWidth,
    top: padInfo.top,
    left: padInfo.left,
    imageBytes: h * w * c * 4,
    paddedH: within ? h : reachH,
    paddedW: within ? w : reachW,
    paddedBytes: within ? 0 : reachH * reachW * c * 4,
  };
}

/** The address of the padded image: the image's own when nothing has to be added, else `room`, filled. */
export function padImage(kernels: TensorKernels, plan: ConvolutionPlan, image: number, room: number): number {
  if (plan.paddedBytes === 0) return image;
  const { paddedH, paddedW, h, w, c, top, left } = plan;
  kernels.placeImage(room, paddedH, paddedW, image, h, w, c, top, left, 1, 1);
  return room;
}
