import { z } from "zod";
import { createRandom, ElenchusError, parseOptions, type Random } from "../../base/index.js";
import { classRows, needsClasses } from "./classRows.js";
import { dealtClasses } from "./dealtClasses.js";
import { drawClasses } from "./drawClasses.js";
import { classesPerClient, tooManyClasses } from "./labelQuantityNoniid.js";
import { type Partition, type PlanRequest, planned, type Sampler } from "./sampler.js";

const options = z
  .looseObject({
    per_client_classes_size: classesPerClient,
    anchor_classes: z
      .array(z.int().min(0), { error: "expected a list of classes, as many as per_client_classes_size" })
      .meta({ description: "Classes that the consistent clients hold." }),
    consistent_clients_size: z.int().min(0).optional().meta({
      description: "So many clients, drawn with the seed, hold the anchor classes.",
    }),
    consistent_clients: z.array(z.int().min(0)).optional().meta({
      description: "The clients that hold the anchor classes, in place of their number; the first is 0.",
    }),
    keep_anchor_classes_size: z
      .int({ error: "expected the number of anchor classes that the other clients may draw" })
      .min(0)
      .meta({ description: "Anchor classes that each of the other clients may draw, chosen anew for it." }),
  })
  .superRefine((keys, context) => {
    const fault = (key: string, message: string) =>
      context.addIssue({ code: "custom", path: [key], message });
    const { anchor_classes: anchors, per_client_classes_size: wanted } = keys;
    if (anchors.length !== wanted) {
      fault("anchor_classes", `expected as many as data.per_client_classes_size = ${wanted}`);
    }
    if (new Set(anchors).size !== anchors.length) fault("anchor_classes", "expected each class once");
    if (keys.keep_anchor_classes_size > anchors.length) {
      fault("keep_anchor_classes_size", `expected at most the ${anchors.length} of data.anchor_classes`);
    }
    if ((keys.consistent_clients === undefined) === (keys.consistent_clients_size === undefined)) {
      fault("consistent_clients_size", "expected this or data.consistent_clients, one of them");
    }
  });
type Keys = z.output<typeof options>;

/**
 * As `label_quantity_noniid`, but some clients all hold the anchor classes. The others choose from the remaining
 * classes and `keep_anchor_classes_size` of the anchors, drawn anew for each, and hold no other anchor. Partitions are
 * disjoint.
 */
export const mixedLabelQuantityNoniid: Sampler = planned(planOf, { options, check: needsClasses });

function planOf(request: PlanRequest): (clientId: number) => Partition {
  const { dataset, seed, totalClients } = request;
  const name = "mixed_label_quantity_noniid";
  const keys = parseOptions(options, request.options, `[data] for the sampler ${name}`);
  const pools = classRows(dataset, name);
  checkClasses(keys, pools.length);
  const random = createRandom(seed, "sampler", name);
  const consistent = consistentClients(keys, totalClients, random);
  const classesOf = Array.from({ length: totalClients }, (_, place) => {
    if (consistent.has(place)) return keys.anchor_classes;
    const pool = poolOf(keys, pools.length, random);
    return drawClasses(pool, place, keys.per_client_classes_size, random);
  });
  return dealtClasses(pools, classesOf);
}

function checkClasses(keys: Keys, classes: number): void {
  const { per_client_classes_size: wanted, anchor_classes: anchors, keep_anchor_classes_size: kept } = keys;
  if (wanted > classes) throw tooManyClasses(wanted, classes);
  const stray = anchors.find((label) => label >= classes);
  if (stray !== undefined) {
    throw invalid("anchor_classes", `names class ${stray}, but the classes are 0 to ${classes - 1}`);
  }
  const pool = classes - anchors.length + kept;
  // Where the anchors are all classes there is nothing else to choose.
  if (pool < wanted && wanted < classes) {
    throw invalid(
      "keep_anchor_classes_size",
      `= ${kept} leaves ${pool} classes for the other clients, which hold ${wanted} each; raise it to at least ${wanted - classes + anchors.length}`,
    );
  }
}

/** Places of clients, from 0. */
function consistentClients(keys: Keys, totalClients: number, random: Random): ReadonlySet<number> {
  const { consistent_clients: named, consistent_clients_size: size = 0 } = keys;
  const stray = named?.find((place) => place >= totalClients);
  if (stray !== undefined) {
    throw invalid(
      "consistent_clients",
      `names ${stray}; expected 0 to ${totalClients - 1}, the first client is 0`,
    );
  }
  if (size > totalClients) {
    throw invalid("consistent_clients_size", `= ${size}, but there are ${totalClients} clients`);
  }
  return new Set(named ?? random.sample(totalClients, size));
}

/** Anchors that this client may hold, then all other classes in their order. */
function poolOf(keys: Keys, classes: number, random: Random): number[] {
  const { anchor_classes: anchors, keep_anchor_classes_size: kept } = keys;
  if (anchors.length === classes) return [...anchors];
  const others = Array.from({ length: classes }, (_, label) => label).filter(
    (label) => !anchors.includes(label),
  );
  return [...random.sample(anchors.length, kept).map((place) => anchors[place]!), ...others];
}

function invalid(key: string, found: string): ElenchusError {
  return new ElenchusError("DATA_INVALID", `data.${key} ${found}.`, { details: { path: ["data", key] } });
}
