import type { z } from "zod";
import { ElenchusError, optionFaults } from "../../base/index.js";

/** Fields of `config.json` that say nothing of what a causal model computes from its weights. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  ..."_name_or_path _commit_hash _attn_implementation _attn_implementation_autoset attn_implementation".split(
    " ",
  ),
  ..."transformers_version torch_dtype dtype use_cache architectures model_type name_or_path".split(" "),
  ..."bos_token_id eos_token_id pad_token_id sep_token_id unk_token_id cls_token_id mask_token_id".split(" "),
  ..."decoder_start_token_id forced_bos_token_id forced_eos_token_id tokenizer_class prefix".split(" "),
  ..."id2label label2id num_labels problem_type finetuning_task task_specific_params".split(" "),
  ..."output_attentions output_hidden_states return_dict torchscript use_bfloat16 tf_legacy_loss".split(" "),
  ..."gradient_checkpointing pretraining_tp initializer_range is_llama_config transformers.js_config".split(
    " ",
  ),
  ..."max_length min_length do_sample early_stopping num_beams num_beam_groups diversity_penalty".split(" "),
  ..."temperature top_k top_p typical_p repetition_penalty length_penalty no_repeat_ngram_size".split(" "),
  ..."encoder_no_repeat_ngram_size bad_words_ids num_return_sequences output_scores".split(" "),
  ..."return_dict_in_generate remove_invalid_values exponential_decay_length_penalty suppress_tokens".split(
    " ",
  ),
  ..."begin_suppress_tokens chunk_size_feed_forward n_ctx reorder_and_upcast_attn".split(" "),
  ..."summary_type summary_use_proj summary_activation summary_proj_to_labels summary_first_dropout".split(
    " ",
  ),
  ..."is_decoder unsloth_version unsloth_fixed _unsloth_fixed".split(" "),
]);

/**
 * Parses the fields that decide the output and refuses every other one that is set: a model that ignored it would
 * compute something else than the one that was published.
 * @param where how the user knows the table: a file, or `[parameters.model] of llama`
 * @param withoutEffect fields that are passed over whatever they say
 * @throws CONFIG_INVALID naming every field that is missing, wrong or not supported
 */
export function parseFields<S extends z.ZodObject>(
  schema: S,
  config: object,
  where: string,
  withoutEffect: ReadonlySet<string> = WITHOUT_EFFECT,
): z.output<S> {
  const known = new Map(Object.entries(config).filter(([field]) => field in schema.shape));
  const parsed = schema.safeParse(Object.fromEntries(known));
  const faults = parsed.success ? [] : optionFaults(parsed.error, config);
  for (const [field, value] of Object.entries(config)) {
    if (field in schema.shape || withoutEffect.has(field) || isOff(value)) continue;
    faults.push(
      `${field} = ${JSON.stringify(value)?.slice(0, 80)} is not supported, and may change what the model computes`,
    );
  }
  if (parsed.success && faults.length === 0) return parsed.data;
  throw invalidConfig(where, faults);
}

/** The error of a model's configuration. */
export function invalidConfig(where: string, faults: readonly string[]): ElenchusError {
  return new ElenchusError("CONFIG_INVALID", `${where}: ${faults.join("; ")}.`, {
    details: { where, faults },
  });
}

/** Null, false and nothing at all say that something is not used. */
function isOff(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
