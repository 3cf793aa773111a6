/**
 * The template for tokenizers that bring none: ChatML. `<|im_start|>role`, a line end, the content, `<|im_end|>`
 * and a line end; nothing is added and nothing trimmed.
 */
export const CHATML_TEMPLATE = `{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`;
