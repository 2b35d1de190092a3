package tfconv

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/configschema"
)

// typeOf returns the type of an attribute that must not have nested attributes.
func (p *problems) typeOf(attr *configschema.Attribute) tftypes.Type {
	if attr.NestedType != nil {
		p.fail("has nested attributes, which protocol 5 and identities do not have")
		return nil
	}
	to, err := TypeFromCty(attr.Type)
	if err != nil {
		p.fail("%v", err)
	}
	return to
}

// onlyAttributes records a problem for each part of the block that the schema of an identity cannot
// have.
func (p *problems) onlyAttributes(block *configschema.Block) {
	if len(block.BlockTypes) > 0 {
		p.fail("an identity must not have blocks")
	}
	if block.Description != "" || block.Deprecated || block.Computed {
		p.fail("the schema of an identity must not have a description, and must not be deprecated or computed")
	}
}

// onlyIdentity records a problem for each property that an attribute of an identity cannot have.
func (p *problems) onlyIdentity(attr *configschema.Attribute) {
	kinds := 0
	for _, is := range []bool{attr.Required, attr.Optional, attr.Computed} {
		if is {
			kinds++
		}
	}
	if kinds != 1 {
		p.fail("in an identity, exactly one of Required, Optional and Computed must be set")
	}
	if attr.Sensitive || attr.WriteOnly || attr.Deprecated || attr.DescriptionKind != configschema.StringPlain {
		p.fail("an attribute of an identity must not be sensitive, write-only, deprecated or described in Markdown")
	}
}
